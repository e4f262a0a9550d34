import { useRef, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import { useCloseOnBack } from '../overlay/close-on-back.ts'
import { Drawer } from '../overlay/drawer.tsx'
import type { Column, RowAction } from './column.ts'

type SheetProps<Row> = {
  row: Row | undefined
  columns: readonly Column<Row>[]
  actions: readonly RowAction<Row>[]
  onClose: () => void
}

/** Details of a row, with its actions. */
export function Sheet<Row>({ row, columns, actions, onClose }: SheetProps<Row>) {
  const { t } = useWords()
  const head = columns.find(({ small }) => small === 'head')
  // Run the action after the sheet has closed and the focus is back on its row: a dialog opened by it restores the
  // focus there.
  const next = useRef<() => void>(undefined)
  const [isShown, setShown] = useState(false)
  // Until it is closed: what its action opens takes over its entry of the history.
  useCloseOnBack(row !== undefined || isShown, () => {
    setShown(false)
    onClose()
  })
  const afterOpen = (isOpen: boolean) => {
    setShown(isOpen)
    if (isOpen) return
    next.current?.()
    next.current = undefined
  }
  return (
    <Drawer
      open={row !== undefined}
      placement="bottom"
      size="auto"
      className="sheet"
      onClose={onClose}
      afterOpenChange={afterOpen}
      title={row && head ? head.cell(row) : ''}
      closable={{ 'aria-label': t('action.close') }}
    >
      {row && (
        <>
          <dl className="lines">
            {columns
              .filter((column) => column !== head)
              .map(({ key, title, cell }) => (
                <div key={key}>
                  <dt>{title}</dt>
                  <dd>{cell(row)}</dd>
                </div>
              ))}
          </dl>
          <div className="sheet-actions">
            {actions.map(
              (action) =>
                !action.hidden?.(row) && (
                  <button
                    key={action.key}
                    type="button"
                    className={`button ${action.danger ? 'button-danger' : ''}`}
                    onClick={() => {
                      next.current = () => action.onSelect(row)
                      onClose()
                    }}
                  >
                    <Icon name={action.icon} />
                    {action.label}
                  </button>
                ),
            )}
          </div>
        </>
      )}
    </Drawer>
  )
}
