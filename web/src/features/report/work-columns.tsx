import { lengthText, type WorkCount } from '@tallyroom/contract/desk/waits'
import { Link } from '@tanstack/react-router'
import { type ReactNode, use, useMemo } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { AccountLink } from '../../domain/account-link.tsx'
import type { FilterValues } from '../../ui/filter-bar/fields.ts'
import { groupCount } from '../../ui/form/amount-text.ts'
import type { Column } from '../../ui/search-table/column.ts'
import { InButton } from '../../ui/search-table/in-button.ts'
import { cellText, countWords, levelWords, rowName, type WorkCell, type WorkInput, type WorkRow } from './work-view.ts'

type FigureProps = { cell: WorkCell; n: number; values: FilterValues; children?: ReactNode }

/** A figure, as a link to exactly the questions that it counts. On a phone the row's details have it. */
export const Figure = ({ cell, n, values, children = groupCount(n) }: FigureProps) => {
  const isInButton = use(InButton)
  if (n === 0 || isInButton) return <span className="points">{children}</span>
  return (
    <Link className="report-cell points" to="/report/work" search={{ ...values, cell: cellText(cell) }}>
      {children}
    </Link>
  )
}

/** A length by the clock, and below it the part in which the desk was open. */
const Length = ({ clock, open }: { clock: number; open: number }) => {
  const { t } = useWords()
  return (
    <span className="work-length">
      <span>{lengthText(clock)}</span>
      <span className="work-open">{t('work.in_open', { length: lengthText(open) })}</span>
    </span>
  )
}

type LengthName = 'median' | 'p90' | 'longest'
const lengthWords = { median: 'work.wait_median', p90: 'work.wait_p90', longest: 'work.wait_longest' } as const

export const useWorkColumns = ({ by }: WorkInput, values: FilterValues): Column<WorkRow>[] => {
  const { t } = useWords()
  return useMemo(() => {
    const count = (name: WorkCount, more: Partial<Column<WorkRow>> = {}): Column<WorkRow> => ({
      key: name,
      title: t(countWords[name]),
      width: 96,
      align: 'end',
      cell: (row) => <Figure cell={{ count: name, row: row.row }} n={row[name]} values={values} />,
      sort: (row) => row[name],
      ...more,
    })
    const wait = (name: LengthName, more: Partial<Column<WorkRow>> = {}): Column<WorkRow> => ({
      key: `wait_${name}`,
      title: t(lengthWords[name]),
      width: 130,
      align: 'end',
      twoLines: true,
      cell: ({ row, answers, clock: lengths, open }) =>
        lengths && open ? (
          <Figure cell={{ count: 'answers', row }} n={answers} values={values}>
            <Length clock={lengths[name]} open={open[name]} />
          </Figure>
        ) : (
          <span className="work-length">–</span>
        ),
      sort: ({ clock: lengths }) => lengths?.[name] ?? -1,
      ...more,
    })
    const first = (name: 'median' | 'p90', spare: number): Column<WorkRow> => ({
      key: `first_${name}`,
      spare,
      title: t(name === 'median' ? 'work.first_median' : 'work.first_p90'),
      width: 120,
      align: 'end',
      cell: ({ row, first: n, first_open }) =>
        first_open ? (
          <Figure cell={{ count: 'first', row }} n={n} values={values}>
            {lengthText(first_open[name])}
          </Figure>
        ) : (
          '–'
        ),
      sort: ({ first_open }) => first_open?.[name] ?? -1,
    })
    return [
      {
        key: 'name',
        title: t(levelWords[by]),
        width: 160,
        small: 'head',
        cell: (row) =>
          by === 'hour' || row.row === null ? (
            <span className="points">{rowName(t, by, row)}</span>
          ) : (
            <AccountLink who={{ id: row.row, username: row.username, role_id: 3 }}>
              <bdi>{rowName(t, by, row)}</bdi>
            </AccountLink>
          ),
        sort: (row) => (by === 'hour' ? (row.row ?? 0) : rowName(t, by, row).toLowerCase()),
      },
      count('waits', { small: 'side' }),
      count('first'),
      // At 1440 px there is not room for all; the row's details and the file have them.
      first('median', 5),
      first('p90', 1),
      count('answers'),
      wait('median', { small: 'below', width: 140 }),
      wait('p90', { spare: 4 }),
      wait('longest', { spare: 7 }),
      count('settled', { spare: 3 }),
      count('waiting'),
      count('missed'),
      count('passed', { spare: 2 }),
      {
        key: 'on',
        spare: 6,
        title: t('work.on'),
        width: 110,
        align: 'end',
        cell: ({ on_s }) => <span className="points">{lengthText(on_s)}</span>,
        sort: ({ on_s }) => on_s,
      },
    ]
  }, [t, by, values])
}
