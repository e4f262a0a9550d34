import { openAt, type OpeningHours } from './hours.ts'
import { FIRST_AFTER_HOURS, LATE_S, type WaitOutcome, type WorkCount, workCounts, type WorkLevel } from './waits.ts'

/** DESK-09: the report of work against a plain recount of what happened in rooms (work.test.ts, proofs/desk.ts). */

/** What happened in a room, in its order. Times are in ms. `by` null: the bot; `group`: the room comes to it. */
export type WorkStep =
  | { kind: 'ask'; seq: number; at: number }
  | { kind: 'answer'; by: number | null; seen: number; at: number }
  | { kind: 'settle'; by: number; at: number }
  | { kind: 'takeBack'; seq: number; at: number }
  | { kind: 'get'; who: number | null; at: number }
  | { kind: 'pass'; who: number; at: number }
  | { kind: 'toBot'; at: number }
  | { kind: 'toPeople'; at: number }
  | { kind: 'move'; group: number; at: number }

export type RoomHistory = { roomId: number; group: number; steps: WorkStep[] }

export type RecountedWait = {
  roomId: number
  seq: number
  group: number
  from: number
  isFirst: boolean
  outcome: WaitOutcome | null
  until: number | null
  person: number | null
  ownFrom: number
  passed: number[]
}

/** Goes through the room once, and keeps what waits. */
export const recountWaits = ({ roomId, group: first, steps }: RoomHistory): RecountedWait[] => {
  const waits: RecountedWait[] = []
  let group = first
  let owner: number | null = null
  let isWithBot = false
  let questions: { seq: number; at: number; index: number }[] = []

  const waitOf = (index: number, until: number | null, person: number | null, outcome: WaitOutcome | null) => {
    const [question] = questions
    if (!question) return undefined
    const before = steps.slice(0, question.index).findLast(({ kind }) => kind === 'ask' || kind === 'answer')
    const meanwhile = steps.slice(question.index + 1, index)
    const restarts = meanwhile.filter(({ kind }) => kind === 'toPeople' || kind === 'move')
    const from = Math.max(question.at, ...restarts.map(({ at }) => at))
    const waited = meanwhile.filter(({ at }) => at >= from)
    const got = waited.findLast((step) => step.kind === 'get' && step.who === person && person !== null)
    const passes = waited.flatMap((step) => (step.kind === 'pass' ? [step.who] : []))
    return {
      roomId,
      seq: question.seq,
      group,
      from,
      isFirst: !before || question.at - before.at >= FIRST_AFTER_HOURS * 3_600_000,
      outcome,
      until,
      person,
      ownFrom: Math.max(from, got?.at ?? 0),
      passed: [...new Set(passes)],
    }
  }
  const end = (...args: Parameters<typeof waitOf>) => {
    const wait = waitOf(...args)
    if (wait) waits.push(wait)
  }

  for (const [index, step] of steps.entries()) {
    switch (step.kind) {
      case 'ask':
        questions.push({ seq: step.seq, at: step.at, index })
        break
      case 'answer': {
        const left = questions.filter(({ seq }) => seq > step.seen)
        if (left.length === 0 || left[0] !== questions[0])
          end(index, step.at, step.by, step.by === null ? 'bot' : 'answer')
        questions = left
        if (!isWithBot) owner ??= step.by
        break
      }
      case 'settle':
        end(index, step.at, step.by, 'settled')
        questions = []
        break
      case 'takeBack':
        questions = questions.filter(({ seq }) => seq !== step.seq)
        break
      case 'get':
        owner = step.who
        break
      case 'toBot':
        isWithBot = true
        owner = null
        break
      case 'toPeople':
        isWithBot = false
        break
      case 'move':
        group = step.group
        owner = null
        break
      case 'pass':
        break
    }
  }
  if (!isWithBot) end(steps.length, null, owner, null)
  return waits.filter(({ outcome }) => outcome !== 'bot')
}

const MINUTE = 60_000
/** Minute by minute: how long the desk is open, and whether that was too long or it closed. */
const walk = (hours: OpeningHours | undefined, from: number, until: number): { open: number; isLate: boolean } => {
  if (!hours) return { open: Math.floor((until - from) / 1000), isLate: until - from > LATE_S * 1000 }
  let [open, hasOpened, isLate] = [0, false, false]
  for (let at = from; at < until; ) {
    const next = Math.min(until, (Math.floor(at / MINUTE) + 1) * MINUTE)
    if (openAt(hours, at)) {
      hasOpened = true
      open += next - at
    } else if (hasOpened) isLate = true
    at = next
  }
  return { open: Math.floor(open / 1000), isLate: isLate || open > LATE_S * 1000 }
}

type Lengths = { median: number; p90: number; longest: number } | null
export type RecountedFigures = Record<WorkCount, number> & { first_open: Lengths; clock: Lengths; open: Lengths }
export type RecountedCell = { row: number | null | undefined; count: WorkCount; waits: string[] }

/** The nearest rank: the smallest length that so many are not longer than. */
const lengthsOf = (lengths: number[]): Lengths => {
  const sorted = lengths.toSorted((a, b) => a - b)
  const rank = (part: number) => sorted[Math.ceil(part * sorted.length) - 1] ?? 0
  return sorted.length === 0 ? null : { median: rank(0.5), p90: rank(0.9), longest: rank(1) }
}

type Asked = { by: WorkLevel; now: number; hoursOf: (group: number) => OpeningHours | undefined; zone: string }

/** The figures of some waits, of everyone (`row` undefined) or of one row, with the waits behind each of the counts. */
export const recountRow = (
  waits: RecountedWait[],
  { by, now, hoursOf, zone }: Asked,
  row: number | null | undefined,
) => {
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' })
  const keyOf = ({ person, group, from }: RecountedWait) => ({ person, group, hour: Number(hour.format(from)) })[by]
  const known = waits.map((wait) => {
    const from = by === 'person' ? wait.ownFrom : wait.from
    const until = wait.until ?? now
    const walked = walk(hoursOf(wait.group), from, until)
    const isOwn = row === undefined || keyOf(wait) === row
    const hasPassed =
      row === undefined || by !== 'person' ? isOwn && wait.passed.length > 0 : wait.passed.includes(row ?? 0)
    return { ...wait, ...walked, clock: Math.floor((until - from) / 1000), isOwn, hasPassed }
  })
  const own = known.filter(({ isOwn }) => isOwn)
  const answers = own.filter(({ outcome }) => outcome === 'answer')
  const of: Record<WorkCount, typeof known> = {
    waits: own,
    answers,
    first: answers.filter(({ isFirst }) => isFirst),
    settled: own.filter(({ outcome }) => outcome === 'settled'),
    waiting: own.filter(({ outcome }) => outcome === null),
    missed: own.filter(({ outcome, isLate }) => outcome !== 'settled' && isLate),
    passed: known.filter(({ hasPassed }) => hasPassed),
  }
  const figures: Record<string, number | Lengths> = {
    first_open: lengthsOf(of.first.map(({ open }) => open)),
    clock: lengthsOf(answers.map(({ clock }) => clock)),
    open: lengthsOf(answers.map(({ open }) => open)),
  }
  for (const count of workCounts) figures[count] = of[count].length
  const cells = workCounts.map((count) => ({
    count,
    waits: of[count].map(({ roomId, seq }) => `${roomId}/${seq}`).toSorted(),
  }))
  return { figures, cells }
}

/** The rows that the report has for these waits. */
export const rowsOf = (waits: RecountedWait[], by: WorkLevel, zone: string): (number | null)[] => {
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' })
  const keys = waits.flatMap(({ person, group, from, passed }) =>
    by === 'person' ? [person, ...passed] : by === 'group' ? [group] : [Number(hour.format(from))],
  )
  return [...new Set(keys)]
}
