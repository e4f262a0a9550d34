import { expect, test } from 'vitest'
import { reasonIn } from './postmaster.ts'

test('the reason why a server does not start is its last error, and not that it turns connections away', () => {
  const log = [
    'LOG:  starting PostgreSQL',
    'FATAL:  could not restore file "000000010000000000000003" from archive: child process exited with exit code 1',
    'FATAL:  the database system is not accepting connections',
    'FATAL:  the database system is shutting down',
    'LOG:  database system is shut down',
  ]
  expect(reasonIn(log.join('\n'))).toMatch(/^FATAL: could not restore file .* exit code 1$/)
  expect(reasonIn([...log.slice(0, 1), ...log.slice(2)].join('\n'))).toBe('LOG:  database system is shut down')
  expect(reasonIn('')).toBe('')
})
