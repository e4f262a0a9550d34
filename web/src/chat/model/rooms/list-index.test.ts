import type { RoomSummary } from '@tallyroom/contract/events'
import { RoomStatus, RoomType } from '@tallyroom/contract/codes'
import { expect, it } from 'vitest'
import { longestWait, makeListIndex } from './list-index.ts'
import { byTime } from './room-ref.ts'

const ROOMS = 60
const STEPS = 2000

/** A small generator with a seed: a failure is the same the next time. */
const dice = (seed: number) => (sides: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return Math.floor((seed / 2 ** 31) * sides)
}

it('[CONV-07] stays the same as sorting and counting all rooms after every change', () => {
  const roll = dice(7)
  const minute = (at: number) => new Date(at * 60_000).toISOString()
  const random = (room_id: number) =>
    ({
      code: `r${room_id}`,
      room_id,
      status: 1 + roll(3),
      type: roll(20) === 0 ? RoomType.upline : RoomType.member,
      message_read: roll(2),
      message_time: roll(5) === 0 ? null : minute(roll(30)),
      waiting_since: roll(2) ? minute(roll(30)) : null,
      owner_id: roll(2) ? roll(3) : null,
      ...(roll(4) ? {} : { snoozed_until: minute(40) }),
    }) as RoomSummary
  const index = makeListIndex(1)
  const all = new Map<string, RoomSummary>()
  for (let step = 0; step < STEPS; step++) {
    const next = random(roll(ROOMS))
    index.update(all.get(next.code), next, roll(50) === 0)
    all.set(next.code, next)
    const expected = [...all.values()]
      .filter(({ status, type }) => status === RoomStatus.shown && type !== RoomType.upline)
      .sort(byTime)
    expect(index.list(all.values())).toEqual(expected)
    const here = expected.filter(({ snoozed_until }) => snoozed_until === undefined)
    const waiting = here.filter(({ waiting_since }) => waiting_since !== null)
    const { ownedBy, ...counts } = index.counts()
    expect({ ...counts, mine: ownedBy(1) }).toEqual({
      all: here.length,
      snoozed: expected.length - here.length,
      unread: here.filter(({ message_read }) => message_read === 0).length,
      waiting: waiting.length,
      mine: here.filter(({ owner_id }) => owner_id === 1).length,
    })
    const earliest = waiting.reduce(
      (min, { waiting_since }) => Math.min(min, Date.parse(waiting_since ?? '')),
      Infinity,
    )
    const longest = longestWait(index.waiting())
    expect(longest ? Date.parse(longest.waiting_since ?? '') : Infinity).toBe(earliest)
  }
})
