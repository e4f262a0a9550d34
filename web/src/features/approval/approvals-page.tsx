import type { ApprovalRow } from '@tallyroom/contract/calls/points/approval'
import type { SensitiveChangeRow } from '@tallyroom/contract/calls/office/change'
import { isTaking, transferKinds } from '@tallyroom/contract/transfer-kinds'
import type { ReactNode } from 'react'
import { usePages } from '../../api/use-pages.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Amount } from '../../ui/amount.tsx'
import { useFilters } from '../../ui/filter-bar/use-filters.ts'
import { Icon } from '../../ui/icon.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { Person } from '../../ui/person.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { LoadMore } from '../cash/load-more.tsx'
import { useFocusFirst } from '../cash/use-focus-first.ts'
import { APPROVAL_WAIT, LOUDEST } from '../../chat/model/wait.ts'
import { WaitingTime } from '../../chat/view/waiting-time.tsx'
import { showMoment } from '../../i18n/time.ts'
import { factLines } from '../../domain/fact-lines.ts'
import { ApprovalDrawer } from './approval-drawer.tsx'
import { SensitiveChangeDrawer } from './change-drawer.tsx'
import { ApprovalStatus, memberOf, overWord, targetOf } from './parts.tsx'
import { useLiveApprovals } from '../../chat/view/cards/use-open-approvals.ts'
import '../cash/cash.css'
import './approval.css'

/** The entry that the address names: the number of a transfer's approval, or with a `c` that of a change. */
const readOpened = (text = '') => {
  const [, isSensitiveChange, id] = /^(c?)([1-9]\d{0,8})$/.exec(text) ?? []
  return id === undefined ? undefined : { id: Number(id), isSensitiveChange: isSensitiveChange === 'c' }
}
const stateKeys = ['state'] as const

type Entry = { row: ApprovalRow; sensitiveChange?: never } | { sensitiveChange: SensitiveChangeRow; row?: never }
const madeAt = ({ row, sensitiveChange }: Entry) => (row ?? sensitiveChange).made_at

type Loaded<R> = { rows: R[]; hasNextPage: boolean }

/**
 * Both queues as one: waiting ones oldest first, ended ones newest first. Ends where one of them has not been loaded
 * further, so that loading more only appends.
 */
const merged = (
  transfers: Loaded<ApprovalRow>,
  sensitiveChanges: Loaded<SensitiveChangeRow>,
  ended: 0 | 1,
): Entry[] => {
  const inOrder = (a: string, b: string) => (ended === 1 ? b.localeCompare(a) : a.localeCompare(b))
  const ends = [transfers, sensitiveChanges].flatMap(({ rows, hasNextPage }) =>
    hasNextPage ? (rows.at(-1)?.made_at ?? []) : [],
  )
  const [end] = ends.toSorted(inOrder)
  const all: Entry[] = [
    ...transfers.rows.map((row) => ({ row })),
    ...sensitiveChanges.rows.map((sensitiveChange) => ({ sensitiveChange })),
  ]
  return all
    .filter((entry) => end === undefined || inOrder(madeAt(entry), end) <= 0)
    .toSorted((a, b) => inOrder(madeAt(a), madeAt(b)))
}

/** /approvals: transfers above a limit and sensitive changes that wait, oldest first, and those that were decided. */
export const ApprovalsPage = () => {
  const { t } = useWords()
  const filters = useFilters(stateKeys)
  const ended = filters.values.state === 'decided' ? 1 : 0
  const { opened: text, open, close } = useOpened('approval')
  const opened = readOpened(text)
  const list = usePages('approval/list', { ended })
  const sensitiveChanges = usePages('change/list', { ended })
  useLiveApprovals()
  const rows = merged(list, sensitiveChanges, ended)
  const error = list.error ?? sensitiveChanges.error
  const isPending = list.isPending || sensitiveChanges.isPending
  // It waits for both queues: the one that arrives first need not have the oldest entry.
  const first = isPending ? undefined : rows[0]
  const table = useFocusFirst(
    opened === undefined,
    first && `${first.row ? 'transfer' : 'change'} ${(first.row ?? first.sensitiveChange).id}`,
  )
  const more = [list, sensitiveChanges].filter(({ hasNextPage }) => hasNextPage)
  const isOpened = (id: number, isSensitiveChange: boolean) =>
    opened?.id === id && opened.isSensitiveChange === isSensitiveChange
  return (
    <div className="report requests">
      <div className="request-tools">
        <div className="request-views" role="group" aria-label={t('menu.approvals')}>
          {([0, 1] as const).map((value) => (
            <button
              key={value}
              type="button"
              className="request-view"
              aria-pressed={ended === value}
              onClick={() => filters.set(value === 0 ? {} : { state: 'decided' })}
            >
              {t(value === 0 ? 'requests.waiting' : 'approval.decided')}
            </button>
          ))}
        </div>
      </div>
      {error && <Alert text={error.message} />}
      <section className="card request-card" aria-label={t('menu.approvals')}>
        {isPending && <p role="status">{t('table.loading')}</p>}
        {!isPending && !error && rows.length === 0 && (
          <p className="request-empty" role="status">
            <strong>{t(ended === 0 ? 'approval.empty' : 'approval.none_decided')}</strong>
            <span>{t('approval.empty_hint')}</span>
          </p>
        )}
        {rows.length > 0 && (
          <table ref={table} className="request-table approval-table" data-rows="tbody tr">
            <thead>
              <tr>
                <th>{t(ended === 1 ? 'requests.asked_at' : 'requests.waiting')}</th>
                <th>{t('account.account')}</th>
                <th>{t('statement.what')}</th>
                <th className="request-right">{t('transfer.amount')}</th>
                <th>{t('approval.maker')}</th>
                <th>{t('requests.reason')}</th>
                <th>{ended === 1 ? t('account.status') : <span className="visually-hidden">{t('cash.open')}</span>}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ row, sensitiveChange }, at) =>
                row ? (
                  <TransferLine
                    key={row.id}
                    row={row}
                    isLoud={at < LOUDEST}
                    isOpened={isOpened(row.id, false)}
                    onOpen={() => open(row.id)}
                  />
                ) : (
                  <SensitiveChangeLine
                    key={`change ${sensitiveChange.id}`}
                    row={sensitiveChange}
                    isLoud={at < LOUDEST}
                    isOpened={isOpened(sensitiveChange.id, true)}
                    onOpen={() => open(`c${sensitiveChange.id}`)}
                  />
                ),
              )}
            </tbody>
          </table>
        )}
        {more.length > 0 && (
          <LoadMore
            isBusy={more.some(({ isFetchingNextPage }) => isFetchingNextPage)}
            onPress={() => {
              for (const { fetchNextPage } of more) void fetchNextPage()
            }}
          />
        )}
      </section>
      {opened && !opened.isSensitiveChange && <ApprovalDrawer key={opened.id} id={opened.id} onClose={close} />}
      {opened?.isSensitiveChange && <SensitiveChangeDrawer key={opened.id} id={opened.id} onClose={close} />}
    </div>
  )
}

/** `isLoud`: among the longest waiting. */
type LineProps<R> = { row: R; isLoud: boolean; isOpened: boolean; onOpen: () => void }

const TransferLine = (line: LineProps<ApprovalRow>) => {
  const { row } = line
  const { t } = useWords()
  return (
    <Line
      {...line}
      who={memberOf(row)}
      what={t(transferKinds[row.type].word)}
      amount={<Amount value={row.amount} way={isTaking(row.type) ? 'out' : 'in'} />}
      why={overWord(t, row)}
    />
  )
}

const SensitiveChangeLine = (line: LineProps<SensitiveChangeRow>) => {
  const { row } = line
  const { t } = useWords()
  const [first] = factLines(t, row.facts)
  return (
    <Line
      {...line}
      who={targetOf(row)}
      what={t(`change.${row.kind}`)}
      why={first && `${first.label}: ${first.value}`}
    />
  )
}

type Shown = Pick<ApprovalRow, 'id' | 'state' | 'made_at' | 'maker_nickname' | 'maker_username'>
type Cells = { who: ReturnType<typeof memberOf>; what: string; amount?: ReactNode; why: string | undefined }

const Line = ({ row, isLoud, isOpened, onOpen, who, what, amount, why }: LineProps<Shown> & Cells) => {
  return (
    <tr
      aria-current={isOpened || undefined}
      onClick={(event) => !(event.target as Element).closest('button') && onOpen()}
    >
      <td>
        {row.state === 'waiting' ? (
          <WaitingTime since={row.made_at} worded loud={isLoud} limits={APPROVAL_WAIT} />
        ) : (
          // In the order of the list. When it was decided is in the drawer.
          <span className="points request-note">{showMoment(row.made_at).slice(5, 16)}</span>
        )}
      </td>
      <td>
        <Person who={who} />
      </td>
      <td>{what}</td>
      <td className="request-right">{amount}</td>
      <td>
        <bdi>{row.maker_nickname || row.maker_username}</bdi>
      </td>
      <td className="change-why">{why}</td>
      <td>
        {/* In the queue of what waits, all rows do. */}
        {row.state !== 'waiting' && <ApprovalStatus state={row.state} />}{' '}
        <button
          type="button"
          data-open
          className="button request-small"
          aria-label={`${what} ${row.id}`}
          onClick={onOpen}
        >
          <Icon name="chevronRight" size={16} />
        </button>
      </td>
    </tr>
  )
}
