import { isOperator } from '@tallyroom/contract/codes'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { useCall } from '../../api/use-call.ts'
import { useMay, useMenu } from '../../api/use-menu.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'
import type { FilterField, FilterValues } from '../../ui/filter-bar/fields.ts'
import { FilterBar } from '../../ui/filter-bar/filter-bar.tsx'
import { type Filters, useFilters } from '../../ui/filter-bar/use-filters.ts'
import { groupCount } from '../../ui/form/amount-text.ts'
import { notify } from '../../ui/overlay/message.tsx'
import { PageActs } from '../../ui/page/page-acts.tsx'
import { type Tab, Tabs } from '../../ui/page/tabs.tsx'
import { nameOf } from '../../ui/person.tsx'
import { SaveFile } from '../../ui/save-file.tsx'
import { usePrinting } from '../../ui/use-printing.ts'
import { ClosedPeriods, ClosePeriod, usePeriods } from './closed-periods.tsx'
import { HeldTable } from './held-table.tsx'
import { LineTable } from './line-table.tsx'
import { SealPart } from './seal-part.tsx'
import { Settlements, useSettlements } from './settlements.tsx'
import { Sheet } from './sheet.tsx'
import { SumRows } from './sum-rows.tsx'
import { inputOf, type StatementHead, type StatementInput, useLines } from './use-statement.ts'
import { statementKeys } from './search.ts'
import { periodText, scopeWords, walletWords } from './words.ts'
import { AccountLink } from '../../domain/account-link.tsx'
import './statement.css'

/** The most movements that are printed: about 200 pages. */
const MAX_PRINTED = 8000

/** BOOK-01: a statement of an account, its direct downline or its branch; at first the own one, of this month. */
export const StatementPage = () => {
  const { t } = useWords()
  const filters = useFilters(statementKeys)
  const { values, typed } = filters
  const { pages, may } = useMenu()
  const hasOwn = may('statement.own')
  // Until the menu is there, nobody knows whether the own statement is the one to load.
  const input = useMemo(() => inputOf(values, hasOwn), [values, hasOwn])
  const view = useCall('statement/view', input ?? MONTHLESS, { enabled: input !== undefined, keepPrevious: true })
  const lines = useLines(view.error ? undefined : input)
  const fields = useStatementFields(typed, view.data)
  const page = useRef<HTMLDivElement>(null)
  const again = () => {
    void view.refetch()
    void lines.refetch()
  }
  return (
    <div ref={page} tabIndex={-1} className="report statement-page">
      <FilterBar fields={fields} filters={filters} onAgain={again} busy={view.isFetching || lines.isFetching} />
      {!input && pages && <p role="status">{t('statement.choose')}</p>}
      {view.error && (
        <div className="table-none" role="alert">
          <p>{view.error.message}</p>
        </div>
      )}
      {input && !view.error && (
        <Shown
          input={input}
          head={view.data}
          lines={lines}
          filters={filters}
          hasBooks={input.id === undefined && input.username === '' && may('period/list')}
          onPeriod={() => page.current?.focus()}
        />
      )}
    </div>
  )
}
/** Stands in for a call that is not made. */
const MONTHLESS: StatementInput = { start_date: '', end_date: '' }

type ShownProps = {
  input: StatementInput
  head: StatementHead | undefined
  lines: ReturnType<typeof useLines>
  filters: Filters
  /** The own statement: with it come the closed periods of the branch. */
  hasBooks: boolean
  /** A closed period was chosen: its movements take the place of what had the focus. */
  onPeriod: () => void
}

type Part = 'movements' | 'held' | 'closed' | 'settlements' | 'seal'

/** The sums, and below them one part at a time, so that nothing is hidden behind a second scroll. */
const Shown = ({ input, head, lines, filters, hasBooks, onPeriod }: ShownProps) => {
  const { t } = useWords()
  const print = usePrint(head, lines)
  const mayExport = useMay('statement/export')
  const periods = usePeriods(hasBooks)
  const settlements = useSettlements(hasBooks)
  const [wanted, setWanted] = useState<Part>('movements')
  const tabs: (Tab<Part> & { part: ReactNode })[] = [
    {
      key: 'movements',
      label: t('statement.movements'),
      count: head?.lines,
      part: <LineTable lines={lines} count={head?.lines ?? 0} isOfMany={input.scope !== 'own'} />,
    },
  ]
  if (head?.held_lines.length)
    tabs.push({
      key: 'held',
      label: t('statement.held'),
      // The server sends the first ones only.
      count: head.held_cut ? undefined : head.held_lines.length,
      part: <HeldTable head={head} />,
    })
  if (periods)
    tabs.push({
      key: 'closed',
      label: t('period.closed'),
      count: periods.data.length,
      part: (
        <ClosedPeriods
          rows={periods.data}
          filters={filters}
          onShow={() => {
            setWanted('movements')
            onPeriod()
          }}
        />
      ),
    })
  if (settlements?.data.length)
    tabs.push({
      key: 'settlements',
      label: t('settlement.title'),
      count: settlements.data.length,
      part: <Settlements rows={settlements.data} />,
    })
  if (head?.seal) tabs.push({ key: 'seal', label: t('seal.title'), part: <SealPart head={head} input={input} /> })
  // A part may be gone, such as what was held in another period.
  const chosen = tabs.find(({ key }) => key === wanted) ?? tabs[0]
  return (
    <>
      <PageActs>
        {periods && <ClosePeriod next={periods.next_start} />}
        <Button icon="page" busy={print.isBusy} disabled={!head || !lines.rows} onClick={print.start}>
          {t('statement.print')}
        </Button>
        {mayExport && <SaveFile disabled={!head} load={() => call('statement/export', input)} />}
      </PageActs>
      {head && <About head={head} input={input} />}
      <dl className="totals statement-sums">{head && <SumRows head={head} />}</dl>
      <Tabs label={t('statement.title')} tabs={tabs} chosen={chosen?.key ?? 'movements'} onChoose={setWanted}>
        {chosen?.part}
      </Tabs>
      {print.isOn && head && lines.rows && <Sheet head={head} lines={lines.rows} input={input} />}
    </>
  )
}

/** Says whose statement it is and of which days: on a phone the filters that say it are behind a button. */
const About = ({ head, input }: { head: StatementHead; input: StatementInput }) => {
  const { t } = useWords()
  return (
    <p className="statement-about">
      <AccountLink who={head.account}>
        <bdi>{nameOf(head.account)}</bdi>
      </AccountLink>{' '}
      · {t(scopeWords[input.scope ?? 'own'])} · <span className="points">{periodText(input)}</span>
      {head.time_zone && <span>{` · ${head.time_zone}`}</span>}
    </p>
  )
}

/** Loads all movements, draws the sheet, and opens the browser's print dialog. */
const usePrint = (head: StatementHead | undefined, lines: ShownProps['lines']) => {
  const { t } = useWords()
  // Also for those who print by the browser's own menu.
  const isPrinting = usePrinting()
  const [isWanted, setWanted] = useState(false)
  const { hasNextPage, isFetching, fetchNextPage, error } = lines
  const isReady = isWanted && !hasNextPage && !isFetching
  useEffect(() => {
    if (!isWanted) return
    if (error) setWanted(false)
    else if (hasNextPage && !isFetching) void fetchNextPage()
  }, [isWanted, hasNextPage, isFetching, fetchNextPage, error])
  useEffect(() => {
    if (!isReady) return
    window.print()
    setWanted(false)
  }, [isReady])
  const start = () => {
    if ((head?.lines ?? 0) > MAX_PRINTED) notify.refused(t('statement.too_long', { count: groupCount(MAX_PRINTED) }))
    else setWanted(true)
  }
  return { start, isBusy: isWanted, isOn: isReady || isPrinting }
}

const useStatementFields = (typed: FilterValues, head: StatementHead | undefined): readonly FilterField[] => {
  const { t } = useWords()
  const shown = head && nameOf(head.account)
  const isTyped = Boolean(typed.username)
  const hasDownline = head === undefined || isOperator(head.account.role_id)
  return useMemo(
    (): FilterField[] => [
      {
        kind: 'text',
        key: 'username',
        label: t('account.username'),
        inline: true,
        placeholder: t('statement.whole_username'),
      },
      // A name that is typed takes the place of the account that a link named.
      ...(isTyped ? [] : [{ kind: 'given' as const, key: 'id', label: t('statement.account'), shown: shown ?? '…' }]),
      ...(hasDownline
        ? [
            {
              kind: 'choice' as const,
              key: 'scope',
              label: t('statement.scope'),
              isSwitch: true as const,
              options: (['own', 'direct', 'branch'] as const).map((value) => ({ value, label: t(scopeWords[value]) })),
            },
          ]
        : []),
      { kind: 'period', key: 'time', label: t('range.presets'), fallback: 'month' },
      {
        kind: 'choice',
        key: 'wallet',
        label: t('statement.wallet'),
        options: ([1, 2, 3] as const).map((kind) => ({ value: String(kind), label: t(walletWords[kind]) })),
      },
      { kind: 'text', key: 'by', label: t('statement.by'), placeholder: t('statement.whole_username') },
    ],
    [t, shown, isTyped, hasDownline],
  )
}
