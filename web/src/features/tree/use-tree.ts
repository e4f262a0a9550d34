import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { call } from '../../api/call.ts'
import { refresh } from '../../api/use-call.ts'
import type { Layout, TreeRow } from './layout.ts'
import { makeTree, type Tree } from './store.ts'

/** The tree below a row. A newer row, after a change, makes it load again what is shown. */
export const useTree = (row: TreeRow): Tree => {
  const [made] = useState(() => ({ row, tree: makeTree((input) => call('tree/list', input), row) }))
  useEffect(() => {
    if (made.row === row) return
    made.row = row
    made.tree.refresh(row)
  }, [made, row])
  return made.tree
}

export const useLayout = (tree: Tree): Layout => useSyncExternalStore(tree.subscribe, tree.layout)

/** Loads the tree again after a change of it. A move within it leaves the own row as it was, so no newer row would do it. */
export const useRefreshTree = (tree: Tree) => {
  const cache = useQueryClient()
  return () => {
    tree.refresh()
    void refresh(cache, ['tree/view'])
  }
}
