import { roleWords } from '@tallyroom/contract/words/code-words'
import { AccountStatus as Status, isOffice } from '@tallyroom/contract/codes'
import { memo, type ReactNode } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Amount, available } from '../../ui/amount.tsx'
import { groupCount } from '../../ui/form/amount-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { nameOf, Person } from '../../ui/person.tsx'
import { AccountStatus } from '../../domain/status.tsx'
import { openKey } from './keys.ts'
import type { Line, TreeColumn, TreeRow } from './layout.ts'

type Props = {
  line: Line
  index: number
  top: number
  height: number
  columns: readonly TreeColumn[]
  active: boolean
  selected: boolean
  isOpen: boolean
  onToggle: () => void
  onPress: () => void
}

export const TreeLine = ({ line, index, top, height, columns, active, selected, isOpen, onToggle, onPress }: Props) => {
  const { t } = useWords()
  const canOpen = openKey(line) !== undefined
  return (
    <div
      role="row"
      className="tree-line"
      data-line={index}
      tabIndex={active ? 0 : -1}
      aria-level={line.level}
      aria-posinset={line.at + 1}
      aria-setsize={line.siblings}
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-busy={line.kind === 'unknown'}
      {...(canOpen ? { 'aria-expanded': isOpen } : {})}
      style={{ transform: `translateY(${top}px)`, height }}
      onClick={onPress}
    >
      {columns.map((column) => (
        <span key={column} role="gridcell" className={`tree-cell tree-${column}`}>
          {column === 'account' ? (
            <span className="tree-node" style={{ '--level': line.level - 1 } as object}>
              {canOpen ? (
                <button
                  type="button"
                  className="tree-twist"
                  // The arrow keys of the row do the same.
                  tabIndex={-1}
                  aria-label={t(isOpen ? 'tree.close' : 'tree.open')}
                  onClick={(event) => {
                    event.stopPropagation()
                    onToggle()
                  }}
                >
                  <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={14} />
                </button>
              ) : (
                <span className="tree-twist" />
              )}
              <Who line={line} small={columns.length === 2} />
            </span>
          ) : (
            line.kind === 'account' && <Cell column={column} row={line.row} />
          )}
        </span>
      ))}
    </div>
  )
}

const Who = ({ line, small }: { line: Line; small: boolean }): ReactNode => {
  const { t } = useWords()
  if (line.kind === 'unknown') return <span className="bar" />
  if (line.kind === 'account')
    return (
      <span className="tree-who">
        <Person who={line.row} />
        {small && (
          <span className="tree-small">
            {t(roleWords[line.row.role_id] ?? 'role.member')}
            {line.row.below > 0 && <span>{` · ${t('tree.below')} ${groupCount(line.row.below)}`}</span>}
          </span>
        )}
        {line.row.status === Status.frozen && <AccountStatus value={line.row.status} />}
      </span>
    )
  const { members } = line.parent
  return (
    <span className="person">
      <span className="avatar tree-group">
        <Icon name="contacts" size={16} />
      </span>
      <span className="person-names">
        <span className="person-name">{t('tree.members', { n: members, count: groupCount(members) })}</span>
        <bdi className="person-username">{t('tree.members_of', { name: nameOf(line.parent) })}</bdi>
      </span>
    </span>
  )
}

/** What a row says beside its name. Customer service without a wallet of its own spends that of its group. */
export const Cell = memo(({ column, row }: { column: Exclude<TreeColumn, 'account'>; row: TreeRow }): ReactNode => {
  const { t } = useWords()
  if (column === 'role') return <span className="tree-quiet">{t(roleWords[row.role_id] ?? 'role.member')}</span>
  if (column === 'below') return <span className="points">{row.below === 0 ? '–' : groupCount(row.below)}</span>
  if (row.shares_wallet)
    return <span className="tree-quiet">{column === 'balance' ? t('points.group_wallet') : '–'}</span>
  if (column === 'balance') return <Amount value={available(row)} unlimited={row.unlimited} />
  if (row.unlimited || !isOffice(row.role_id)) return <span className="tree-quiet">–</span>
  return <Amount value={row.limit_of_credit} />
})
