import type { Answer } from '@tallyroom/contract'
import type { TreePart } from '@tallyroom/contract/calls/accounts/tree'

export type TreeRow = Answer<'tree/view'>['row']

/** The columns of the tree; a phone shows the first and the balance. */
export type TreeColumn = 'account' | 'role' | 'balance' | 'credit' | 'below'

/** What is known of the accounts directly below one: their number, and the rows that have been loaded, by place. */
export type List = { total: number; rows: ReadonlyMap<number, TreeRow> }
export type Lists = ReadonlyMap<string, List>
export const listKey = (parentId: number, part: TreePart) => `${parentId}/${part}`

/** A line of the tree. Members are below a line of their own, so that a thousand of them do not hide the team. */
export type Line = {
  key: string
  level: number
  at: number
  siblings: number
  parentLine: number
} /** `list`: the list that the row is in; none for the account at the top. */ & (
  | { kind: 'account'; row: TreeRow; list: { parentId: number; part: TreePart } | undefined }
  | { kind: 'members'; parent: TreeRow }
  | { kind: 'unknown'; list: { parentId: number; part: TreePart } }
)
export const accountKey = (id: number) => `account ${id}`
export const membersKey = (id: number) => `members ${id}`

/** Lines of one list that follow each other, or one line of members. `at`: the place of the first one in its list. */
type Run = {
  start: number
  count: number
  at: number
  siblings: number
  level: number
  parentLine: number
  parent: TreeRow | undefined
  part: TreePart | 'root' | 'group'
}
export type Layout = { root: TreeRow; runs: readonly Run[]; count: number; lists: Lists }

/** Only open accounts and their lists are walked: a closed or unloaded list of 10,000 costs nothing. */
export const layOut = (root: TreeRow, lists: Lists, open: ReadonlySet<string>): Layout => {
  const runs: Run[] = []
  let count = 0
  const push = (run: Omit<Run, 'start'>) => {
    if (run.count === 0) return
    runs.push({ ...run, start: count })
    count += run.count
  }
  const walkList = (parent: TreeRow, part: TreePart, level: number, parentLine: number) => {
    const list = lists.get(listKey(parent.id, part))
    const siblings = list?.total ?? parent[part]
    const group = part === 'team' && hasMembers(parent, lists) ? 1 : 0
    const shared = { siblings: siblings + group, level, parentLine, parent, part }
    const opened = [...(list?.rows ?? [])]
      .filter(([at, { id }]) => at < siblings && open.has(accountKey(id)))
      .sort(([a], [b]) => a - b)
    let from = 0
    for (const [at, row] of opened) {
      push({ ...shared, at: from, count: at + 1 - from })
      from = at + 1
      walkBelow(row, level + 1, count - 1)
    }
    push({ ...shared, at: from, count: siblings - from })
    if (group) {
      push({ ...shared, at: siblings, count: 1, part: 'group' })
      if (open.has(membersKey(parent.id))) walkList(parent, 'members', level + 1, count - 1)
    }
  }
  const walkBelow = (parent: TreeRow, level: number, parentLine: number) => walkList(parent, 'team', level, parentLine)
  push({ at: 0, count: 1, siblings: 1, level: 1, parentLine: -1, parent: undefined, part: 'root' })
  if (open.has(accountKey(root.id))) walkBelow(root, 2, 0)
  return { root, runs, count, lists }
}

const hasMembers = (parent: TreeRow, lists: Lists) =>
  (lists.get(listKey(parent.id, 'members'))?.total ?? parent.members) > 0
export const isOpenable = (row: TreeRow) => row.team + row.members > 0

/** The line at this place from the top; undefined outside of the tree. */
export const lineAt = ({ root, runs, count, lists }: Layout, index: number): Line | undefined => {
  if (index < 0 || index >= count) return undefined
  let [low, high] = [0, runs.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((runs[middle]?.start ?? 0) <= index) low = middle
    else high = middle - 1
  }
  const run = runs[low]
  if (!run) return undefined
  const { level, siblings, parentLine, parent, part } = run
  const at = run.at + index - run.start
  const shared = { level, at, siblings, parentLine }
  if (!parent || part === 'root')
    return { ...shared, kind: 'account', key: accountKey(root.id), row: root, list: undefined }
  if (part === 'group') return { ...shared, kind: 'members', key: membersKey(parent.id), parent }
  const list = { parentId: parent.id, part }
  const row = lists.get(listKey(parent.id, part))?.rows.get(at)
  if (row) return { ...shared, kind: 'account', key: accountKey(row.id), row, list }
  return { ...shared, kind: 'unknown', key: `unknown ${parent.id} ${part} ${at}`, list }
}

/** The place of an account whose uplines are open and known; -1 if it is not among the lines. */
export const indexOf = (layout: Layout, id: number): number => {
  if (layout.root.id === id) return 0
  for (const { start, count, at, parent, part } of layout.runs) {
    if (!parent || part === 'root' || part === 'group') continue
    const rows = layout.lists.get(listKey(parent.id, part))?.rows
    for (const [index, row] of rows ?? []) {
      if (row.id === id && index >= at && index < at + count) return start + index - at
    }
  }
  return -1
}
