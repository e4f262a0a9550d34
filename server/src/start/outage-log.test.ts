import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DatabaseAway } from '../data/faults.ts'
import { makeLog } from '../lib/log.ts'
import { outageLog } from './outage-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const AWAY = /^The database is away \(connect ECONNREFUSED\)\. Calls are answered with 503/

const started = () => {
  const lines: { msg: string }[] = []
  const plain = makeLog('warn', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const state = { isBack: false }
  const outage = outageLog(plain, () => Promise.resolve(state.isBack))
  return { ...outage, state, said: () => lines.splice(0).map(({ msg }) => msg), lines }
}
const refused = () => new DatabaseAway(new Error('connect ECONNREFUSED'))

test('[RUN-07] all that fails because the database is away is one line in five seconds, without a stack', async () => {
  const { log, lines, said, state } = started()
  log.error({ err: refused() }, 'Could not seal the ledger; trying again')
  expect(Object.keys(lines[0] ?? {})).not.toContain('err')
  for (let seconds = 0; seconds < 4; seconds++) {
    log.error({ err: refused(), room: 5 }, 'The bot could not answer a room; trying again')
    log.warn({ err: refused() }, 'Could not look for missed events. Trying again')
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(said()).toEqual([expect.stringMatching(AWAY)])
  await vi.advanceTimersByTimeAsync(1000)
  log.error({ err: refused() }, 'Could not send webhooks; trying again')
  expect(said()).toEqual([expect.stringMatching(AWAY)])
  state.isBack = true
  await vi.advanceTimersByTimeAsync(1000)
  expect(said()).toEqual(['The database is back, after 6 seconds'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(said()).toEqual([])
})

test('other lines are as before, also those of a child', () => {
  const { log, lines } = started()
  log.error({ err: new Error('other'), call: 'user/list' }, 'A call failed')
  log.warn('plain')
  log.child({ part: 'x' }).error({ err: new Error('third') }, 'Of a child')
  log.child({}, { level: 'info' }).info({ call: 'user/list' }, 'access')
  expect(lines).toMatchObject([
    { msg: 'A call failed', call: 'user/list', err: { message: 'other' } },
    { msg: 'plain' },
    { msg: 'Of a child', part: 'x', err: { message: 'third' } },
    { msg: 'access', call: 'user/list' },
  ])
})

test('connections that are lost at once are one line, and none in an outage', async () => {
  const { log, connectionLost, said } = started()
  for (let n = 0; n < 12; n++) connectionLost(new Error('terminating connection'))
  expect(said()).toEqual(['A database connection was lost (terminating connection). The next query opens a new one'])
  await vi.advanceTimersByTimeAsync(5000)
  log.error({ err: refused() }, 'x')
  connectionLost(new Error('terminating connection'))
  expect(said()).toEqual([expect.stringMatching(AWAY)])
})

test('nothing is said once the server stops', async () => {
  const { log, said, state, stop } = started()
  log.error({ err: refused() }, 'x')
  expect(said()).toHaveLength(1)
  state.isBack = true
  stop()
  await vi.advanceTimersByTimeAsync(10_000)
  log.error({ err: refused() }, 'x')
  expect(said()).toEqual([])
})
