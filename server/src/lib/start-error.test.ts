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

test.each([
  ['EACCES', /^The user of this program \(uid \d+\) has no right to do this \(.*'\/a'.*\)\. Start it as/],
  ['EROFS', /^\/b is on a disk that is read-only here\./],
  ['ENOSPC', /^The disk of \/b is full\. Free some space/],
])('[RUN-12] a file that the system refuses with %s is one line', (code, line) => {
  const refused = { code, path: '/a', dest: '/b' }
  const found = asStartError(Object.assign(new Error(`${code}: refused, copyfile '/a' -> '/b'`), refused))
  expect((found as StartError).message).toMatch(line)
})

test('any other error stays as it is', () => {
  const error = new Error('a bug')
  expect(asStartError(error)).toBe(error)
  const missing = Object.assign(new Error('ENOENT'), { code: 'ENOENT', path: '/a' })
  expect(asStartError(missing)).toBe(missing)
})
