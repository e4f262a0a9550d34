import type { Answer } from '@tallyroom/contract'
import { TransferStatus } from '@tallyroom/contract/codes'
import type { Message, RoomChange } from '@tallyroom/contract/events'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../api/call.ts'
import { onConnected, onEvent } from '../../api/live.ts'
import { isPoints } from '../../chat/model/message-kinds.ts'
import { showNow } from '../../i18n/time.ts'
import { throttle } from '../../lib/throttle.ts'
import {
  addFresh,
  freshRows,
  type HistoryFilter,
  type HistoryName,
  type HistoryRow,
  isWaiting,
  type Pages,
  PER_PAGE,
  shownRows,
  updateRows,
} from './history-pages.ts'

/** The list asks at most once in this time, however many events arrive. */
const APART_MS = 3000
/**
 * No event tells an agent of transfers in the groups below: its list looks for them, while somebody works with the page.
 * Looking on would keep the session of a person who has left from ending.
 */
const LOOK_MS = 30_000
const USED_MS = 5 * 60_000
const USES = ['pointermove', 'wheel', 'keydown'] as const
/** So many changed rows are loaded again at a time. */
const MAX_CHANGED = 5

/** An id is complete, and a period that has ended gets no further rows. */
const isOpen = ({ id, end_time }: HistoryFilter) => id === undefined && end_time > showNow()

const memberOf = (row: HistoryRow) => ('member_username' in row ? row.member_username : row.other_username)

const hasChanged = (row: HistoryRow, message: Message) =>
  row.status !== message.transaction_status ||
  row.corrected !== message.transaction_corrected ||
  (row.approval ?? 0) !== (message.approval ?? 0) ||
  (message.remark !== null && row.remark !== message.remark)

/** The list in the cache, and the requests that bring it up to date. */
const liveList = (cache: QueryClient, name: HistoryName, filter: HistoryFilter, key: readonly unknown[]) => {
  const update = (replace: (all: Pages) => Pages) => void cache.setQueryData<Pages>(key, (all) => all && replace(all))
  const rows = (): HistoryRow[] => {
    const all = cache.getQueryData<Pages>(key)
    return all ? [...freshRows(all), ...shownRows(all)] : []
  }
  const ask = async (input: HistoryFilter) =>
    (await call(name, { per_page: PER_PAGE, ...input })) as Answer<HistoryName>
  return {
    rows,
    isLoaded: () => cache.getQueryData(key) !== undefined,
    askNew: async () => {
      const answer = await ask({ ...filter, start_time: rows()[0]?.created_at ?? filter.start_time })
      update((all) => addFresh(all, answer))
    },
    askAgain: async (id: string) => {
      const row = rows().find((one) => one.transaction_id === id)
      if (!row) return
      const { data } = await ask({ start_time: row.created_at, end_time: row.created_at, id })
      update((all) => updateRows(all, data))
    },
    /** @returns the ids of rows that wait no longer */
    askWaiting: async (): Promise<string[]> => {
      const waiting = rows().filter(isWaiting)
      const [first, last] = [waiting[0], waiting.at(-1)]
      if (!first || !last) return []
      const times = { start_time: last.created_at, end_time: first.created_at }
      const { data } = await ask({ ...times, username: filter.username, statuses: [TransferStatus.pending] })
      update((all) => updateRows(all, data))
      const ids = new Set(data.map((row) => row.transaction_id))
      return waiting.flatMap(({ transaction_id }) => (ids.has(transaction_id) ? [] : [transaction_id]))
    },
  }
}

/** The rows that a change of a room is about; undefined among them for a transfer that the list does not have. */
const rowsAbout = (rows: readonly HistoryRow[], { messages, room }: RoomChange): (HistoryRow | undefined)[] =>
  messages
    .filter(({ type }) => isPoints(type))
    .flatMap((message) => {
      const row = rows.find((one) => one.transaction_id === message.transaction_id)
      if (row) return hasChanged(row, message) ? [row] : []
      if (!message.cash) return [undefined]
      // The card of a request does not say which transfer holds its points.
      const waiting = rows.filter((one) => one.request && isWaiting(one) && memberOf(one) === room.partner_username)
      return [undefined, ...waiting]
    })

/**
 * Looks for rows that are newer than the list, and for what became of its rows, when an event of the socket says that
 * points may have moved. New rows are kept aside (`addFresh`).
 */
export const useLiveRows = (name: HistoryName, filter: HistoryFilter, key: readonly unknown[]) => {
  const cache = useQueryClient()
  useEffect(() => {
    const list = liveList(cache, name, filter, key)
    const changed = new Set<string>()
    let [isOver, wantsNew, wantsWaiting] = [false, false, false]

    const run = async () => {
      // When the page is seen again it looks for everything.
      if (document.visibilityState === 'hidden' || !list.isLoaded()) return
      const ids = [...changed].slice(0, MAX_CHANGED)
      for (const id of ids) changed.delete(id)
      const asks = ids.map(list.askAgain)
      if (wantsNew && isOpen(filter)) asks.push(list.askNew())
      if (wantsWaiting) asks.push(list.askWaiting().then((ended) => ended.forEach((id) => changed.add(id))))
      wantsNew = false
      wantsWaiting = false
      // Without an answer the list stays as it is until the next event.
      await Promise.allSettled(asks)
      if (changed.size > 0 && !isOver) soon()
    }
    const { soon, stop } = throttle(() => void run(), APART_MS)

    const moved = () => {
      wantsNew = true
      soon()
    }
    const missed = () => {
      wantsWaiting = true
      moved()
    }
    const inRoom = (change: RoomChange) => {
      if (filter.room !== undefined && filter.room !== change.code) return
      if (change.reset) return missed()
      for (const row of rowsAbout(list.rows(), change)) {
        if (row) changed.add(row.transaction_id)
        else wantsNew = true
        soon()
      }
    }
    const seen = () => document.visibilityState === 'visible' && missed()
    document.addEventListener('visibilitychange', seen)
    let usedAt = performance.now()
    const used = () => {
      usedAt = performance.now()
    }
    for (const use of USES) document.addEventListener(use, used, { passive: true })
    const looking = setInterval(() => performance.now() - usedAt < USED_MS && missed(), LOOK_MS)
    const stops = [
      stop,
      onEvent('room', inRoom),
      onEvent('account', moved),
      onEvent('member', moved),
      onEvent('approval', missed),
      onConnected(missed),
      () => document.removeEventListener('visibilitychange', seen),
      () => USES.forEach((use) => document.removeEventListener(use, used)),
      () => clearInterval(looking),
    ]
    return () => {
      isOver = true
      for (const end of stops) end()
    }
  }, [cache, name, filter, key])
}
