import { useEffect, useMemo, useRef } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import type { RowAction } from '../../ui/search-table/column.ts'
import { useOpened } from '../../ui/use-opened.ts'
import { TransferDrawer } from './drawer.tsx'

type Options = { letter?: string; inRecord?: boolean }

/** The action of a list's rows that shows the whole transfer, and the drawer that it opens. */
export const useDetails = <Row extends { transaction_id: string }>({ letter, inRecord = false }: Options = {}) => {
  const { t } = useWords()
  const { opened, open, close } = useOpened('transfer')
  const latest = useRef(open)
  useEffect(() => {
    latest.current = open
  })
  const actions = useMemo(
    (): RowAction<Row>[] => [
      {
        key: 'details',
        label: t('history.details'),
        icon: 'list',
        ...(letter && { letter }),
        onSelect: (row) => latest.current(row.transaction_id),
      },
    ],
    [t, letter],
  )
  return {
    actions,
    drawer: opened && <TransferDrawer key={opened} id={opened} isInAddress inRecord={inRecord} onClose={close} />,
  }
}
