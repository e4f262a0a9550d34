import type { DeskRules, ReturnReason } from '@tallyroom/contract/desk/rules'
import type { ColleagueState } from '@tallyroom/contract/desk/states'

/** A colleague. Times are in ms. */
export type DeskPerson = {
  id: number
  state: ColleagueState
  /** A page of theirs is open, or a phone has notifications. */
  isHere: boolean
  /** It has the conversations at this moment (RIGHT-01). */
  mayAnswer: boolean
  load: number
  /** When it last got a room from the server; 0: never. */
  assignedAt: number
  /** How often in a row it has not answered. */
  passes: number
}

/** A shown room whose member waits. Times are in ms. */
export type WaitingRoom = {
  id: number
  waitingSince: number
  ownerId: number | null
  /** The owner before, of a room without one. */
  lastOwnerId: number | null
  /** When a colleague last answered or got it. */
  attendedAt: number | null
  /** When the server assigned it to its owner. */
  assignedAt: number | null
  /** When its owner last typed in it. */
  typedAt: number | null
  /** The colleagues who have not answered this member in time, since it waits. */
  passedBy: number[]
}

export type Decision = {
  returned: { room: WaitingRoom; from: number; why: ReturnReason }[]
  assigned: { room: WaitingRoom; to: number }[]
  /** The colleagues who have let an answer pass now. `isAway`: for the second time in a row. */
  passed: { id: number; isAway: boolean }[]
}

/** Who types has not forgotten the member. */
const TYPING_MS = 30_000
export const MAX_PASSES = 2
const HOUR_MS = 3_600_000

/**
 * DESK-02, DESK-03: which rooms go back to the queue, and who gets those in it, the longest wait first. It changes
 * nothing, so every copy can ask it.
 */
export const decideOwners = (
  rules: DeskRules,
  people: readonly DeskPerson[],
  rooms: readonly WaitingRoom[],
  now: number,
): Decision => {
  const byId = new Map(people.map((person) => [person.id, { ...person }]))
  const returned: Decision['returned'] = []
  for (const room of rooms) {
    if (room.ownerId === null) continue
    const why = whyReturned(rules, byId.get(room.ownerId), room, now)
    if (why) returned.push({ room, from: room.ownerId, why })
  }
  const late = new Set(returned.flatMap(({ from, why }) => (why === 'no_answer' ? from : [])))
  const passed = [...late].map((id) => {
    const person = byId.get(id)
    const isAway = person !== undefined && person.passes + 1 >= MAX_PASSES
    if (isAway) person.state = 'away'
    return { id, isAway }
  })
  for (const { from } of returned) {
    const person = byId.get(from)
    if (person) person.load--
  }
  const queue = [
    ...rooms.filter(({ ownerId }) => ownerId === null),
    ...returned.map(({ room, from, why }) => ({
      ...room,
      lastOwnerId: from,
      passedBy: why === 'no_answer' ? [...room.passedBy, from] : room.passedBy,
    })),
  ].toSorted((a, b) => a.waitingSince - b.waitingSince || a.id - b.id)
  const assigned: Decision['assigned'] = []
  let order = 0
  for (const room of queue) {
    const person = choose(rules, [...byId.values()], room)
    if (!person) continue
    person.load++
    // In the order in which they got one, also within this decision.
    person.assignedAt = now + order++ / 1000
    assigned.push({ room, to: person.id })
  }
  return { returned, assigned, passed }
}

const whyReturned = (
  rules: DeskRules,
  owner: DeskPerson | undefined,
  { waitingSince, attendedAt, assignedAt, typedAt }: WaitingRoom,
  now: number,
): ReturnReason | undefined => {
  if (!owner?.mayAnswer) return 'right_lost'
  if (!owner.isHere) return 'gone'
  if (owner.state === 'away') return 'away'
  if (attendedAt !== null && attendedAt < waitingSince - rules.sticky_hours * HOUR_MS) return 'long_ago'
  if (assignedAt === null || rules.answer_s === 0) return undefined
  const isLate = Math.max(assignedAt, waitingSince) + rules.answer_s * 1000 <= now
  const isTyping = typedAt !== null && typedAt > now - TYPING_MS
  return isLate && !isTyping ? 'no_answer' : undefined
}

const choose = (rules: DeskRules, people: DeskPerson[], room: WaitingRoom): DeskPerson | undefined => {
  const able = people.filter(
    ({ state, isHere, mayAnswer, load }) => state === 'on' && isHere && mayAnswer && load < rules.capacity,
  )
  const others = able.filter(({ id }) => !room.passedBy.includes(id))
  // Who is alone gets the member again: nobody is forgotten.
  const found = others.length > 0 ? others : able
  const isSticky = room.attendedAt !== null && room.attendedAt >= room.waitingSince - rules.sticky_hours * HOUR_MS
  const last = isSticky ? found.find(({ id }) => id === room.lastOwnerId) : undefined
  return last ?? found.toSorted((a, b) => rank(rules, a, b))[0]
}

const rank = ({ assign }: DeskRules, a: DeskPerson, b: DeskPerson) =>
  (assign === 'least' ? a.load - b.load : 0) || a.assignedAt - b.assignedAt || a.id - b.id
