import { defaultRules, type DeskRules } from '@tallyroom/contract/desk/rules'
import { describe, expect, test } from 'vitest'
import { decideOwners, type DeskPerson, type WaitingRoom } from './decide-owners.ts'

const NOW = Date.parse('2026-11-29T12:00:00Z')
const HOUR = 3_600_000
const person = (id: number, fields: Partial<DeskPerson> = {}): DeskPerson => ({
  id,
  state: 'on',
  isHere: true,
  mayAnswer: true,
  load: 0,
  assignedAt: 0,
  passes: 0,
  ...fields,
})
const room = (id: number, fields: Partial<WaitingRoom> = {}): WaitingRoom => ({
  id,
  waitingSince: NOW - 1000,
  ownerId: null,
  lastOwnerId: null,
  attendedAt: null,
  assignedAt: null,
  typedAt: null,
  passedBy: [],
  ...fields,
})
const decide = (people: DeskPerson[], rooms: WaitingRoom[], rules: Partial<DeskRules> = {}) => {
  const { returned, assigned, passed } = decideOwners(
    { ...defaultRules, assign: 'least', ...rules },
    people,
    rooms,
    NOW,
  )
  return {
    returned: returned.map((one) => [one.room.id, one.from, one.why]),
    assigned: assigned.map((one) => [one.room.id, one.to]),
    passed: passed.map((one) => [one.id, one.isAway]),
  }
}

describe('[DESK-02] who gets the next one', () => {
  test('the longest wait first, each to who has least, then to who got none for longest', () => {
    const people = [
      person(1, { load: 2 }),
      person(2, { load: 1, assignedAt: 9 }),
      person(3, { load: 1, assignedAt: 5 }),
    ]
    const rooms = [room(11), room(12, { waitingSince: NOW - 5000 }), room(13, { waitingSince: NOW - 3000 })]
    expect(decide(people, rooms).assigned).toEqual([
      [12, 3],
      [13, 2],
      [11, 1],
    ])
  })

  test('in turn, whatever each has', () => {
    const people = [person(1, { load: 5, assignedAt: 1 }), person(2, { assignedAt: 2 })]
    const rooms = [room(11, { waitingSince: 1 }), room(12, { waitingSince: 2 }), room(13, { waitingSince: 3 })]
    expect(decide(people, rooms, { assign: 'round' }).assigned).toEqual([
      [11, 1],
      [12, 2],
      [13, 1],
    ])
  })

  test('nobody who is busy, away, gone, without the right or full', () => {
    const people = [
      person(1, { state: 'busy' }),
      person(2, { state: 'away' }),
      person(3, { isHere: false }),
      person(4, { mayAnswer: false }),
      person(5, { load: 8 }),
    ]
    expect(decide(people, [room(11)])).toEqual({ returned: [], assigned: [], passed: [] })
    expect(decide([...people, person(6, { load: 7 })], [room(11), room(12)]).assigned).toEqual([[11, 6]])
  })

  test('the last colleague while it was not too long ago and it may', () => {
    const last = { lastOwnerId: 1, attendedAt: NOW - 71 * HOUR }
    const people = [person(1, { load: 7 }), person(2)]
    expect(decide(people, [room(11, last)]).assigned).toEqual([[11, 1]])
    expect(decide(people, [room(11, { ...last, attendedAt: NOW - 73 * HOUR })]).assigned).toEqual([[11, 2]])
    expect(decide(people, [room(11, last)], { capacity: 7 }).assigned).toEqual([[11, 2]])
    expect(decide(people, [room(11, last)], { sticky_hours: 0 }).assigned).toEqual([[11, 2]])
  })
})

describe('[DESK-03] what goes back', () => {
  const owned = (fields: Partial<WaitingRoom> = {}) => room(11, { ownerId: 1, attendedAt: NOW - 1000, ...fields })

  test.each([
    ['gone', { isHere: false }],
    ['away', { state: 'away' as const }],
    ['right_lost', { mayAnswer: false }],
  ] as const)('at once when its owner is %s, to another', (why, fields) => {
    const found = decide([person(1, { load: 1, ...fields }), person(2)], [owned()])
    expect(found).toEqual({ returned: [[11, 1, why]], assigned: [[11, 2]], passed: [] })
  })

  test('not from who is busy, and from who is no colleague any more', () => {
    expect(decide([person(1, { state: 'busy' }), person(2)], [owned()]).returned).toEqual([])
    expect(decide([person(2)], [owned()])).toMatchObject({ returned: [[11, 1, 'right_lost']], assigned: [[11, 2]] })
  })

  test('without an answer in time, if the server gave it and its owner does not type', () => {
    const late = { waitingSince: NOW - 300_000, assignedAt: NOW - 120_000 }
    const people = [person(1, { load: 1 }), person(2, { load: 5 })]
    const back = { returned: [[11, 1, 'no_answer']], assigned: [[11, 2]], passed: [[1, false]] }
    expect(decide(people, [owned(late)])).toEqual(back)
    expect(decide(people, [owned({ ...late, typedAt: NOW - 31_000 })])).toEqual(back)
    for (const fields of [
      { assignedAt: null },
      { assignedAt: NOW - 119_000 },
      { typedAt: NOW - 29_000 },
      // It was answered, and the member wrote again.
      { waitingSince: NOW - 119_000 },
    ])
      expect(decide(people, [owned({ ...late, ...fields })]).returned).toEqual([])
    expect(decide(people, [owned(late)], { answer_s: 0 }).returned).toEqual([])
  })

  test('twice in a row sets away; who is alone gets the member again before that', () => {
    const late = owned({ waitingSince: NOW - 300_000, assignedAt: NOW - 120_000 })
    expect(decide([person(1, { load: 1 })], [late])).toMatchObject({ assigned: [[11, 1]], passed: [[1, false]] })
    const twice = decide([person(1, { load: 1, passes: 1 })], [late])
    expect(twice).toEqual({ returned: [[11, 1, 'no_answer']], assigned: [], passed: [[1, true]] })
    // Several at the same moment are one.
    const more = { ...late, id: 12 }
    expect(decide([person(1, { load: 2 })], [late, more]).passed).toEqual([[1, false]])
    // A later turn of the queue remembers who has passed it.
    expect(decide([person(1), person(2, { load: 5 })], [room(11, { passedBy: [1] })]).assigned).toEqual([[11, 2]])
  })

  test('when its owner answered last too long ago', () => {
    const old = owned({ attendedAt: NOW - 73 * HOUR })
    expect(decide([person(1, { load: 3 }), person(2)], [old])).toMatchObject({
      returned: [[11, 1, 'long_ago']],
      assigned: [[11, 2]],
    })
  })
})
