import type { WordKey } from '@tallyroom/locales'
import type { IconName } from '../../ui/icon.tsx'
import type { Translate } from '../../i18n/i18n.ts'

/** Heads over parts of the menu, whose order is the server's. */
const groups = {
  accounts: 'right.group_accounts',
  chat: 'right.group_chat',
  points: 'right.group_points',
  settings: 'menu.settings',
} as const satisfies Record<string, WordKey>
type Group = keyof typeof groups

/** The names in the server's menu, with label and icon (SHELL-09). */
const menuEntries: Record<string, { word: WordKey; icon: IconName; group?: Group }> = {
  home: { word: 'menu.home', icon: 'home' },
  chat: { word: 'menu.chat', icon: 'chat' },
  requests: { word: 'menu.requests', icon: 'tray' },
  approvals: { word: 'menu.approvals', icon: 'checks' },
  tree: { word: 'menu.tree', icon: 'tree', group: 'accounts' },
  agent: { word: 'menu.agent', icon: 'agent', group: 'accounts' },
  customer_service: { word: 'menu.customer_service', icon: 'headset', group: 'accounts' },
  user: { word: 'menu.user', icon: 'user', group: 'accounts' },
  customer_service_chat: { word: 'menu.customer_service_chat', icon: 'help', group: 'chat' },
  quick_replies: { word: 'menu.quick_replies', icon: 'bolt', group: 'chat' },
  work: { word: 'menu.work', icon: 'clock', group: 'chat' },
  transaction_log: { word: 'menu.transaction_log', icon: 'list', group: 'points' },
  sr02: { word: 'menu.sr02', icon: 'chart', group: 'points' },
  statement: { word: 'menu.statement', icon: 'notebook', group: 'points' },
  reconciliation: { word: 'menu.reconciliation', icon: 'wallet', group: 'points' },
  audit: { word: 'menu.audit', icon: 'history', group: 'settings' },
  personal_data: { word: 'menu.personal_data', icon: 'contacts', group: 'settings' },
  installation: { word: 'menu.installation', icon: 'pulse', group: 'settings' },
  my_settings: { word: 'menu.my_settings', icon: 'sliders', group: 'settings' },
  technical_files: { word: 'menu.technical_files', icon: 'page', group: 'settings' },
  api_doc: { word: 'menu.api_doc', icon: 'globe', group: 'settings' },
  desk: { word: 'menu.desk', icon: 'transfer', group: 'settings' },
  system_settings: { word: 'menu.system_settings', icon: 'gear', group: 'settings' },
}
/** A menu name that this version does not know is shown as the server wrote it. */
export const menuWord = (t: Translate, name: string) => {
  const found = menuEntries[name]
  return found ? t(found.word) : name.replaceAll('_', ' ')
}
export const menuIcon = (name: string): IconName => menuEntries[name]?.icon ?? 'page'

type Page = { name: string }
/** The menu in its order, cut where another group begins. Pages that no group has stay with those before them. */
export const menuGroups = <P extends Page>(pages: readonly P[]): { word: WordKey | undefined; pages: P[] }[] => {
  const found: { group: Group | undefined; pages: P[] }[] = []
  for (const page of pages) {
    const last = found.at(-1)
    const group = menuEntries[page.name]?.group ?? last?.group
    if (last && last.group === group) last.pages.push(page)
    else found.push({ group, pages: [page] })
  }
  return found.map(({ group, pages: own }) => ({ word: group && groups[group], pages: own }))
}
