import { expect, test } from 'vitest'
import { makeLog } from './log.ts'
import { version } from './version.mjs'

test('[RUN-12] a line has its level by name, its time as ISO 8601 says, and the version', () => {
  const lines: string[] = []
  makeLog('warn', { write: (line: string) => lines.push(line) }).warn('Something')
  const said = JSON.parse(lines[0] ?? '{}') as { time: string }
  expect(said).toMatchObject({ level: 'warn', version, msg: 'Something' })
  expect(new Date(said.time).toISOString()).toBe(said.time)
})

test('an error of the database is logged without its rows, its values and its connection', () => {
  const lines: string[] = []
  const error = Object.assign(new Error('gone'), {
    code: '57P01',
    detail: 'Failing row contains (mika, $argon2id$…)',
    client: { user: 'tallyroom_app', connection: { parsedStatements: { a: 'select 1' } } },
  })
  makeLog('warn', { write: (line: string) => lines.push(line) }).warn({ err: error }, 'A connection was lost')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('57P01')
  expect(lines[0]).not.toMatch(/argon2id|tallyroom_app|parsedStatements/)
})
