import type { RoomSummary } from '@tallyroom/contract/events'

export type SteadyOrder = {
  /** The rendered rows: each room at its kept position, with its newest summary. */
  drawn: readonly RoomSummary[]
  /** Rooms that left the list: their rows stay empty, so that the rows below do not move up. */
  gone: ReadonlySet<string>
  /** How many of the rows, from the first on, waited when they were put in order. */
  waiting: number
  /** Number of rows that the list's own order would add, move or remove. */
  moves: number
}

/** Length of the longest increasing subsequence: the rows that need not move. */
const stayed = (indexes: readonly number[]) => {
  const ends: number[] = []
  for (const index of indexes) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) < index) low = middle + 1
      else high = middle
    }
    ends[low] = index
  }
  return ends.length
}

export const countWaiting = (list: readonly RoomSummary[]) =>
  list.filter(({ waiting_since }) => waiting_since !== null).length

/** `shown`: the rows as they are drawn; `list`: all rooms; `wanted`: those that match the filter, in their order. */
export const keepOrder = (
  shown: readonly RoomSummary[],
  list: readonly RoomSummary[],
  wanted: readonly RoomSummary[],
): SteadyOrder => {
  const newest = new Map(list.map((room) => [room.code, room]))
  const indexOf = new Map(shown.map(({ code }, index) => [code, index]))
  const indexes = wanted.flatMap(({ code }) => indexOf.get(code) ?? [])
  const moved = indexes.length - stayed(indexes)
  const added = wanted.length - indexes.length
  const removed = shown.length - indexes.length
  return {
    drawn: shown.map((room) => newest.get(room.code) ?? room),
    gone: new Set(shown.flatMap(({ code }) => (newest.has(code) ? [] : [code]))),
    waiting: countWaiting(shown),
    moves: moved + added + removed,
  }
}
