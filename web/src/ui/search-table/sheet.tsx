import { flushSync } from 'react-dom'
import { Icon } from '../icon.tsx'
import { SideDrawer } from '../overlay/side-drawer.tsx'
import type { Column, RowAction } from './column.ts'

type SheetProps<Row> = {
  row: Row
  columns: readonly Column<Row>[]
  actions: readonly RowAction<Row>[]
  onClose: () => void
}

/** Details of a row, with its actions: beside the list, on a phone from below. */
export function Sheet<Row>({ row, columns, actions, onClose }: SheetProps<Row>) {
  const head = columns.find(({ small }) => small === 'head')
  return (
    <SideDrawer onClose={onClose} title={head?.cell(row) ?? ''}>
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
                  // The focus is back on the row before the action begins: a dialog that it opens restores it there.
                  flushSync(onClose)
                  action.onSelect(row)
                }}
              >
                <Icon name={action.icon} />
                {action.label}
              </button>
            ),
        )}
      </div>
    </SideDrawer>
  )
}
