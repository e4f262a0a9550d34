import type { WordKey } from '@tallyroom/locales'
import type { IconName } from '../../ui/icon.tsx'
import type { Translate } from '../../i18n/i18n.ts'

/** The names in the server's menu, with label and icon (SHELL-09). */
const menuEntries: Record<string, { word: WordKey; icon: IconName }> = {
  home: { word: 'menu.home', icon: 'home' },
  chat: { word: 'menu.chat', icon: 'chat' },
  requests: { word: 'menu.requests', icon: 'tray' },
  approvals: { word: 'menu.approvals', icon: 'checks' },
  tree: { word: 'menu.tree', icon: 'tree' },
  agent: { word: 'menu.agent', icon: 'agent' },
  customer_service: { word: 'menu.customer_service', icon: 'headset' },
  user: { word: 'menu.user', icon: 'user' },
  customer_service_chat: { word: 'menu.customer_service_chat', icon: 'headset' },
  quick_replies: { word: 'menu.quick_replies', icon: 'bolt' },
  transaction_log: { word: 'menu.transaction_log', icon: 'list' },
  sr02: { word: 'menu.sr02', icon: 'chart' },
  statement: { word: 'menu.statement', icon: 'notebook' },
  reconciliation: { word: 'menu.reconciliation', icon: 'wallet' },
  audit: { word: 'menu.audit', icon: 'history' },
  personal_data: { word: 'menu.personal_data', icon: 'contacts' },
  installation: { word: 'menu.installation', icon: 'pulse' },
  my_settings: { word: 'menu.my_settings', icon: 'sliders' },
  technical_files: { word: 'menu.technical_files', icon: 'page' },
  api_doc: { word: 'menu.api_doc', icon: 'list' },
  system_settings: { word: 'menu.system_settings', icon: 'gear' },
}
/** A menu name that this version does not know is shown as the server wrote it. */
export const menuWord = (t: Translate, name: string) => {
  const found = menuEntries[name]
  return found ? t(found.word) : name.replaceAll('_', ' ')
}
export const menuIcon = (name: string): IconName => menuEntries[name]?.icon ?? 'page'
