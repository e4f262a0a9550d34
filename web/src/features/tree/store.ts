import type { Answer, Input } from '@tallyroom/contract'
import type { TreePart } from '@tallyroom/contract/calls/accounts/tree'
import { accountKey, type Layout, layOut, type List, listKey, membersKey, type TreeRow } from './layout.ts'

/** Rows that one request loads. */
const PAGE = 100

type Page = { state: 'loading' | 'loaded' | 'failed'; isStale: boolean }
type TreePosition = { parentId: number; part: TreePart }
type Load = (input: Input<'tree/list'>) => Promise<Answer<'tree/list'>>

/** What is open in the tree and what has been loaded of it. Lists are read in pages, when their lines are drawn. */
export const makeTree = (load: Load, root: TreeRow) => {
  let own = root
  const lists = new Map<string, List>()
  const pages = new Map<string, Page>()
  const open = new Set<string>([accountKey(root.id)])
  const listeners = new Set<() => void>()
  let layout = layOut(own, lists, open)
  const changed = () => {
    layout = layOut(own, lists, open)
    for (const listener of listeners) listener()
  }
  const put = (parentId: number, part: TreePart, from: number, { data, total }: Answer<'tree/list'>) => {
    const key = listKey(parentId, part)
    const rows = new Map(lists.get(key)?.rows)
    // The rows of this page as the server has them now, and none beyond the end.
    for (const at of rows.keys()) if (at >= total || (at >= from && at < from + PAGE)) rows.delete(at)
    for (const [at, row] of data.entries()) rows.set(from + at, row)
    lists.set(key, { total, rows })
  }
  const fetchPage = async (parentId: number, part: TreePart, page: number) => {
    const key = `${listKey(parentId, part)}/${page}`
    const known = pages.get(key)
    if (known && (known.state !== 'loaded' || !known.isStale)) return
    pages.set(key, { state: 'loading', isStale: false })
    try {
      const from = page * PAGE
      put(parentId, part, from, await load({ parent_id: parentId, part, from, count: PAGE }))
      const { isStale = false } = pages.get(key) ?? {}
      pages.set(key, { state: 'loaded', isStale })
    } catch {
      pages.set(key, { state: 'failed', isStale: false })
    }
    changed()
  }
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    layout: (): Layout => layout,
    isOpen: (key: string) => open.has(key),
    toggle: (key: string, isOpen: boolean) => {
      if (isOpen) open.add(key)
      else open.delete(key)
      changed()
    },
    /** Loads the page of a list that this place is in, unless it is known or on its way. */
    want: ({ parentId, part }: TreePosition, at: number) => {
      void fetchPage(parentId, part, Math.floor(at / PAGE))
    },
    hasFailed: () => [...pages.values()].some(({ state }) => state === 'failed'),
    retry: () => {
      for (const [key, { state }] of pages) if (state === 'failed') pages.delete(key)
      changed()
    },
    /** Opens the path to an account: every list on it, and the rows that lead there. */
    show: (path: Answer<'tree/path'>['path']) => {
      for (const [step, { row, part, at }] of path.entries()) {
        const above = path[step - 1]?.row
        if (!above) continue
        open.add(accountKey(above.id))
        if (part === 'members') open.add(membersKey(above.id))
        const key = listKey(above.id, part)
        const list = lists.get(key)
        const rows = new Map(list?.rows)
        for (const [index, { id }] of rows) if (id === row.id && index !== at) rows.delete(index)
        rows.set(at, row)
        lists.set(key, { total: Math.max(list?.total ?? above[part], at + 1), rows })
      }
      changed()
    },
    /** After a change: what is drawn is loaded again, the rest when it is drawn. */
    refresh: (row: TreeRow = own) => {
      own = row
      for (const page of pages.values()) page.isStale = true
      changed()
    },
  }
}
export type Tree = ReturnType<typeof makeTree>
