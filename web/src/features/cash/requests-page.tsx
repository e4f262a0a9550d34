import { call } from '../../api/call.ts'
import { useCall } from '../../api/use-call.ts'
import { usePages } from '../../api/use-pages.ts'
import { useWords } from '../../i18n/i18n.ts'
import type { FilterValues } from '../../ui/filter-bar/fields.ts'
import { FilterBar } from '../../ui/filter-bar/filter-bar.tsx'
import { ListViews } from '../../ui/filter-bar/list-views.tsx'
import { useFilters } from '../../ui/filter-bar/use-filters.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { PageActs } from '../../ui/page/page-acts.tsx'
import { SaveFile } from '../../ui/save-file.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { AccountSums, DayFigures, PeopleFigures } from './day-figures.tsx'
import { daysOf, filterOf, useCashRequestFields, useCashRequestViews } from './filter.ts'
import { LoadMore } from './load-more.tsx'
import { CashRequestDrawer } from './request-drawer.tsx'
import { cashRequestKeys } from './search.ts'
import { CashRequestTable } from './request-table.tsx'
import { useFocusFirst } from './use-focus-first.ts'
import { loudestOf } from '../../chat/model/wait.ts'
import { useLiveCashRequests } from '../../chat/view/cards/use-open-requests.ts'
import './cash.css'
import { useMay } from '../../api/use-menu.ts'

/** /cash: the requests of all rooms in sight, and the figures of a day, each of which opens its rows. */
export const CashRequestsPage = () => {
  const { t } = useWords()
  const filters = useFilters(cashRequestKeys)
  const { values } = filters
  const filter = filterOf(values)
  const { start, end } = daysOf(values)
  const { opened: text = '', open: openOne, close } = useOpened('request')
  const opened = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
  const mayExport = useMay('cash/export')
  const list = usePages('cash/list', filter)
  const figures = useCall('cash/day', { day: start, ...(start === end ? {} : { until: end }) }, { keepPrevious: true })
  useLiveCashRequests()
  const { rows } = list
  const table = useFocusFirst(opened === undefined, rows[0]?.id)
  const isQueue = values.state === undefined
  const loudest = loudestOf(rows.map(({ asked_at }) => asked_at))
  const ender = figures.data?.people.find(({ id }) => String(id) === values.by)?.name
  const open = (shown: FilterValues) => filters.set({ ...(values.time ? { time: values.time } : {}), ...shown })
  return (
    <div className="report requests">
      {mayExport && (
        <PageActs>
          <SaveFile disabled={rows.length === 0} load={() => call('cash/export', filter)} />
        </PageActs>
      )}
      <ListViews list="cash" filters={filters} known={useCashRequestViews(figures.data?.open)} />
      {/* The period is that of the figures: what is open is open on any day. */}
      <div className="request-day">
        <FilterBar fields={useCashRequestFields(ender)} filters={filters} onAgain={() => void list.refetch()} />
        <DayFigures figures={figures.data} onOpen={open} />
      </div>
      {list.error && <Alert text={list.error.message} />}
      <section className="card request-card" aria-label={t('menu.requests')}>
        {list.isPending && <p role="status">{t('table.loading')}</p>}
        {list.data && rows.length === 0 && (
          <p className="request-empty" role="status">
            <strong>{t(isQueue ? 'requests.empty' : 'requests.nothing')}</strong>
            {isQueue && <span>{t('requests.empty_hint')}</span>}
          </p>
        )}
        {rows.length > 0 && (
          <CashRequestTable rows={rows} table={table} opened={opened} loudest={loudest} onOpen={openOne} />
        )}
        {list.hasNextPage && <LoadMore isBusy={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()} />}
      </section>
      <AccountSums figures={figures.data} />
      <PeopleFigures figures={figures.data} onOpen={open} />
      {opened !== undefined && <CashRequestDrawer key={opened} id={opened} onClose={close} />}
    </div>
  )
}
