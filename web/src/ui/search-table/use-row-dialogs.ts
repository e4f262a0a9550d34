import { useCallback, useState } from 'react'

/** Which dialog of a list is open, and for which of its rows. A row's dialog closes when the list no longer has the row. */
export const useRowDialogs = <Kind extends string, Row extends { id: number }>(rows: readonly Row[] | undefined) => {
  const [asked, setAsked] = useState<{ kind: Kind; id?: number }>()
  const open = useCallback((kind: Kind, row?: Row) => setAsked(row ? { kind, id: row.id } : { kind }), [])
  const close = useCallback(() => setAsked(undefined), [])
  const row = asked?.id === undefined ? undefined : rows?.find(({ id }) => id === asked.id)
  return { kind: asked?.kind, row, open, close }
}
