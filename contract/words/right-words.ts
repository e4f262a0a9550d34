import { lookup, type Say } from './lookup.ts'

/** Each page of the menu that can be given or taken, with the topic under which it is listed. */
const pages = lookup({
  chat: { word: 'menu.chat', topic: 'chat' },
  quick_replies: { word: 'menu.quick_replies', topic: 'chat' },
  work: { word: 'menu.work', topic: 'chat' },
  requests: { word: 'menu.requests', topic: 'points' },
  approvals: { word: 'menu.approvals', topic: 'points' },
  transaction_log: { word: 'menu.transaction_log', topic: 'points' },
  statement: { word: 'menu.statement', topic: 'points' },
  tree: { word: 'menu.tree', topic: 'accounts' },
  agent: { word: 'menu.agent', topic: 'accounts' },
  customer_service: { word: 'menu.customer_service', topic: 'accounts' },
  user: { word: 'menu.user', topic: 'accounts' },
  sr02: { word: 'menu.sr02', topic: 'more' },
  reconciliation: { word: 'menu.reconciliation', topic: 'more' },
  audit: { word: 'menu.audit', topic: 'more' },
  personal_data: { word: 'menu.personal_data', topic: 'more' },
  installation: { word: 'menu.installation', topic: 'more' },
  desk: { word: 'menu.desk', topic: 'more' },
  system_settings: { word: 'menu.system_settings', topic: 'more' },
  technical_files: { word: 'menu.technical_files', topic: 'more' },
  api_doc: { word: 'menu.api_doc', topic: 'more' },
} as const satisfies Record<string, { word: `menu.${string}`; topic: RightTopic }>)
export const rightTopics = ['chat', 'points', 'accounts', 'more'] as const
type RightTopic = (typeof rightTopics)[number]

const actions = lookup({
  'chat.transaction': 'right.chat_transaction',
  'requests.transaction': 'right.requests_transaction',
  'agent.transaction': 'right.agent_transaction',
  'agent.deposit': 'right.agent_deposit',
  'agent.edit': 'right.agent_edit',
  'agent.delete': 'right.agent_delete',
  'customer_service.add': 'right.customer_service_add',
  'customer_service.edit': 'right.customer_service_edit',
  'customer_service.delete': 'right.customer_service_delete',
  'user.transaction': 'right.user_transaction',
  'user.deposit': 'right.user_deposit',
  'user.edit': 'right.user_edit',
  'user.delete': 'right.user_delete',
})
type Word<T> = NonNullable<T[keyof T]>
type PageWord = Word<typeof pages>['word']
export type RightWord = PageWord | Word<typeof actions> | 'right.open'

/** A name that this version does not know is shown as the server wrote it. */
const plain = (name: string) => name.replaceAll(/[._]/g, ' ')
export const pageWord = (t: Say<PageWord>, page: string): string => (pages[page] ? t(pages[page].word) : plain(page))
export const topicOf = (page: string): RightTopic => pages[page]?.topic ?? 'more'

/** What a right allows: to open a page, or an action on it. */
export const rightWord = (t: Say<RightWord>, name: string): string => {
  const action = actions[name]
  if (action) return t(action)
  return name.includes('.') ? plain(name) : t('right.open', { page: pageWord(t, name) })
}
