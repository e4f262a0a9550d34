import type { Answer } from '@tallyroom/contract'
import { lengthText, type WaitOutcome } from '@tallyroom/contract/desk/waits'
import type { WordKey } from '@tallyroom/locales'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { use, useMemo } from 'react'
import { type CallError, call } from '../../api/call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { AccountLink } from '../../domain/account-link.tsx'
import { groupCount } from '../../ui/form/amount-text.ts'
import { nameOf } from '../../ui/person.tsx'
import type { Column, RowAction } from '../../ui/search-table/column.ts'
import { InButton } from '../../ui/search-table/in-button.ts'
import { SearchTable } from '../../ui/search-table/table.tsx'
import { countWords, type WorkCell, type WorkInput } from './work-view.ts'

type Waits = Answer<'report/workWaits'>
type Wait = Waits['data'][number]

const useWaits = (input: WorkInput, { count, row }: WorkCell) => {
  const asked = { ...input, count, ...(row === undefined ? {} : { row }) }
  const query = useInfiniteQuery<Waits, CallError, { pages: Waits[] }, readonly unknown[], string | undefined>({
    queryKey: ['report/workWaits', asked],
    queryFn: ({ pageParam, signal }) =>
      call('report/workWaits', { ...asked, ...(pageParam ? { after: pageParam } : {}) }, signal),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  })
  const { data } = query
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data), [data])
  return { ...query, rows, total: data?.pages[0]?.total }
}

/** Exactly the questions that a figure counts, the newest first. Each opens its conversation at the message. */
export const WorkWaits = ({ input, cell, name }: { input: WorkInput; cell: WorkCell; name: string }) => {
  const { t } = useWords()
  const waits = useWaits(input, cell)
  const shown = waits.rows?.length ?? 0
  return (
    <>
      <h2>
        {t(countWords[cell.count])} · <bdi>{name}</bdi>
      </h2>
      <SearchTable
        label={t('work.questions')}
        rows={waits.rows}
        rowKey="wait"
        columns={useWaitColumns()}
        actions={useWaitActions()}
        error={waits.error}
        onRetry={() => void waits.refetch()}
        whenEmpty={<p>{t('work.none')}</p>}
        footer={
          waits.hasNextPage && (
            <span className="server-pages">
              <span className="points">
                {t('history.shown', { shown: groupCount(shown), total: groupCount(waits.total ?? shown) })}
              </span>
              <button
                type="button"
                className="button"
                aria-busy={waits.isFetchingNextPage}
                onClick={() => void waits.fetchNextPage()}
              >
                {t('statement.load_more')}
              </button>
            </span>
          )
        }
      />
    </>
  )
}

const toRoom = ({ room_id, member_id, code }: NonNullable<Wait['room']>, seq: number) =>
  ({
    to: '/chat/messaging/$room_id/$member_id/$room_code',
    params: { room_id: String(room_id), member_id: String(member_id), room_code: code },
    search: { at: seq },
  }) as const

const useWaitActions = (): RowAction<Wait>[] => {
  const { t } = useWords()
  const navigate = useNavigate()
  return useMemo(
    () => [
      {
        key: 'open',
        label: t('work.open_room'),
        icon: 'chat',
        onSelect: ({ room, seq }) => {
          if (room) void navigate(toRoom(room, seq))
        },
        // A conversation of another group.
        hidden: ({ room }) => room === null,
      },
    ],
    [t, navigate],
  )
}

const outcomeWords = {
  answer: 'work.answered',
  settled: 'work.settled',
  missed: 'work.expired',
  bot: 'work.answered',
} as const satisfies Record<WaitOutcome, WordKey>

/** When it began, as a link to the message. */
const Began = ({ wait: { room, seq, from_at } }: { wait: Wait }) => {
  const isInButton = use(InButton)
  const text = <span className="points">{showMoment(from_at)}</span>
  return room === null || isInButton ? (
    text
  ) : (
    <Link className="report-cell" {...toRoom(room, seq)}>
      {text}
    </Link>
  )
}

const useWaitColumns = (): Column<Wait>[] => {
  const { t } = useWords()
  return useMemo((): Column<Wait>[] => {
    const length = (key: 'clock_s' | 'open_s', title: string): Column<Wait> => ({
      key,
      title,
      width: 110,
      align: 'end',
      cell: (row) => <span className="points">{row[key] === null ? '–' : lengthText(row[key])}</span>,
      sort: (row) => row[key] ?? -1,
    })
    return [
      {
        key: 'began',
        title: t('work.began'),
        width: 172,
        small: 'below',
        cell: (wait) => <Began wait={wait} />,
        sort: ({ from_at }) => from_at,
      },
      {
        key: 'member',
        title: t('role.member'),
        width: 150,
        small: 'head',
        cell: ({ member }) =>
          member.username === '' ? (
            '–'
          ) : (
            <AccountLink who={member}>
              <bdi>{nameOf(member)}</bdi>
            </AccountLink>
          ),
      },
      {
        key: 'person',
        title: t('work.person'),
        width: 140,
        cell: ({ person }) => (person ? <bdi>{nameOf(person)}</bdi> : t('work.nobody')),
      },
      {
        key: 'result',
        title: t('work.result'),
        width: 180,
        small: 'side',
        wraps: true,
        cell: ({ outcome, is_missed, is_taken_back }) =>
          [
            t(outcome === null ? 'work.waiting' : outcomeWords[outcome]),
            ...(is_missed && outcome !== 'missed' ? [t('work.missed')] : []),
            ...(is_taken_back ? [t('work.taken_back')] : []),
          ].join(' · '),
      },
      length('clock_s', t('work.wait')),
      length('open_s', t('work.wait_open')),
      {
        key: 'ended',
        // At 1440 px the column of acts would cover half of it.
        spare: 1,
        title: t('work.ended'),
        width: 172,
        cell: ({ ended_at }) => <span className="points">{ended_at === null ? '–' : showMoment(ended_at)}</span>,
        sort: ({ ended_at }) => ended_at ?? '',
      },
    ]
  }, [t])
}
