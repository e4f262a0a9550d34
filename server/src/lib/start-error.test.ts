import { expect, test } from 'vitest'
import { asStartError, StartError } from './start-error.ts'

test.each([
  [
    '28P01',
    'password authentication failed for user "app"',
    /^The database at DATABASE_URL refused us: password .*name\.$/,
  ],
  ['3D000', 'database "none" does not exist', /^The database at DATABASE_URL refused us: database "none" .*name\.$/],
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', /^The database at DATABASE_URL does not answer \(.*running\.$/],
  [
    '42P05',
    'prepared statement "a" already exists',
    /pooler in transaction mode \(.*\)\. Set DATABASE_POOLER=transaction/,
  ],
  [
    '26000',
    'prepared statement "a" does not exist',
    /pooler in transaction mode \(.*\)\. Set DATABASE_POOLER=transaction/,
  ],
])('[RUN-12] a database that answers %s is one line, for a command too', (code, message, line) => {
  const found = asStartError(Object.assign(new Error(message), { code }))
  expect(found).toBeInstanceOf(StartError)
  expect((found as StartError).message).toMatch(line)
})

test('any other error stays as it is', () => {
  const error = new Error('a bug')
  expect(asStartError(error)).toBe(error)
})
