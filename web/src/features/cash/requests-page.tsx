import { Role } from '@tallyroom/contract/codes'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { DateField } from '../../ui/form/date-fields.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { SaveFile } from '../../ui/save-file.tsx'
import { DayFigures, PeopleFigures } from './day-figures.tsx'
import type { RequestFilter } from './filter.ts'
import { RequestDrawer } from './request-drawer.tsx'
import { RequestRow } from './request-row.tsx'
import { useLiveRequests } from '../../chat/view/use-open-requests.ts'
import './cash.css'

const today = () => showMoment(Date.now()).slice(0, 10)

const views = [
  ['requests.open', () => ({ states: ['asked', 'taken'] })],
  ['cash.state_paid', (day) => ({ states: ['paid'], ended_on: day })],
  ['cash.state_refused', (day) => ({ states: ['refused'], ended_on: day })],
  ['requests.all', (day) => ({ asked_on: day })],
] as const satisfies readonly (readonly [string, (day: string) => RequestFilter])[]

const isSame = (one: RequestFilter, other: RequestFilter) => JSON.stringify(one) === JSON.stringify(other)

/** Moves the focus between the rows' buttons. Enter takes the row's request and opens it. */
const moveByKey = (event: KeyboardEvent<HTMLElement>) => {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-open]')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  const next = buttons[at < 0 ? 0 : at + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** The oldest request is one key away when the page opens, and when the one before it has ended. */
const useFocusFirst = (isClosed: boolean, first: number | undefined) => {
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => {
    if (!isClosed || first === undefined) return
    // After the drawer has given the focus back, if what had it is still there.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) table.current?.querySelector<HTMLElement>('[data-open]')?.focus()
    })
    return () => clearTimeout(timer)
  }, [isClosed, first])
  return table
}

/** /cash: the requests of all rooms in sight, and the figures of a day, each of which opens its rows. */
export const RequestsPage = () => {
  const { t } = useWords()
  const [day, setDay] = useState(today)
  const [filter, setFilter] = useState<RequestFilter>(() => views[0][1]())
  const [opened, setOpened] = useState<number>()
  const own = useCall('user/view', {})
  const list = useCall('cash/list', filter, { keepPrevious: true })
  const figures = useCall('cash/day', { day }, { keepPrevious: true })
  useLiveRequests()
  const rows = list.data?.data ?? []
  const table = useFocusFirst(opened === undefined, rows[0]?.id)
  const isQueue = isSame(filter, views[0][1]())
  const changeDay = (next: string) => {
    setDay(next)
    setFilter((now) => ({
      ...now,
      ...(now.asked_on ? { asked_on: next } : {}),
      ...(now.ended_on ? { ended_on: next } : {}),
    }))
  }
  return (
    <div className="report requests">
      <div className="request-tools">
        <div className="request-views" role="group" aria-label={t('menu.requests')}>
          {views.map(([word, of]) => (
            <button
              key={word}
              type="button"
              className="request-view"
              aria-pressed={isSame(filter, of(day))}
              onClick={() => setFilter(of(day))}
            >
              {t(word)}
            </button>
          ))}
        </div>
        <DateField label={t('requests.day')} value={day} onChange={changeDay} />
        {own.data && own.data.role_id !== Role.customerService && (
          <SaveFile disabled={rows.length === 0} load={() => call('cash/export', filter)} />
        )}
      </div>
      <DayFigures figures={figures.data} onOpen={setFilter} />
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
          <table ref={table} className="request-table" onKeyDown={moveByKey}>
            <thead>
              <tr>
                <th>{t('requests.waiting')}</th>
                <th>{t('history.member')}</th>
                <th>{t('requests.points')}</th>
                <th className="request-right">{t('transfer.amount')}</th>
                <th>{t('requests.account')}</th>
                <th>{t('requests.check')}</th>
                <th>{t('requests.taken')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <RequestRow
                  key={row.id}
                  row={row}
                  ownId={own.data?.id}
                  isOpened={row.id === opened}
                  onOpen={() => setOpened(row.id)}
                />
              ))}
            </tbody>
          </table>
        )}
      </section>
      <PeopleFigures figures={figures.data} onOpen={setFilter} />
      {opened !== undefined && <RequestDrawer key={opened} id={opened} onClose={() => setOpened(undefined)} />}
    </div>
  )
}
