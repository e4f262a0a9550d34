import { expect, test } from 'vitest'
import { settingsFrom } from './settings.ts'

test.each([
  ['PORT', '99999', 'PORT is "99999", but must be a whole number from 0 to 65535.'],
  ['PORT', '1e3', 'PORT is "1e3", but must be a whole number from 0 to 65535.'],
  ['CONNECTIONS', '0', 'CONNECTIONS is "0", but must be a whole number from 1 to 1000000.'],
  ['DAY_CAP', '-3', 'DAY_CAP is "-3", but must be points such as 500 or 12.5, or empty for no cap.'],
  ['DEMO', 'maybe', 'DEMO is "maybe", but must be 1 or 0.'],
  ['CALL_LIMITS', 'some', 'CALL_LIMITS is "some", but must be one of on, off.'],
  ['TIME_ZONE', 'Mars/Base', 'TIME_ZONE is "Mars/Base", but must be an IANA name such as Asia/Taipei.'],
  ['PUSH_SERVICES', 'a.example,x', 'PUSH_SERVICES must be names such as push.example.com,push.example.org.'],
])('%s=%s is refused in one sentence with the valid values', (name, value, words) => {
  expect(() => settingsFrom({ [name]: value })).toThrow(words)
})

test.each([
  ['DATABASE_URL', 'mysql://me:secret@x', 'DATABASE_URL must look like postgresql://user:password@host:5432/name.'],
  ['REDIS_URL', 'secret', 'REDIS_URL must look like redis://host:6379 or rediss://user:password@host:6379.'],
  ['TALLYROOM_KEY', 'secret', 'TALLYROOM_KEY must be 32 bytes, as 64 hexadecimal digits or as base64'],
  ['SMS_HEADERS', '["secret"]', 'SMS_HEADERS must be a JSON object such as {"authorization":"Bearer …"}.'],
])('a refused %s is not repeated, because it may hold a secret', (name, value, words) => {
  let said = ''
  try {
    settingsFrom({ SMS_URL: 'https://sms.example', [name]: value })
  } catch (error) {
    said = String(error)
  }
  expect(said).toContain(words)
  expect(said).not.toContain('secret')
})

test('an empty variable counts as not set', () => {
  const { connections: _, ...empty } = settingsFrom({
    PORT: '',
    DAY_CAP: '',
    WAL_ARCHIVE: '',
    LOG_LEVEL: '',
    API_URL: '',
  })
  const { connections: __, ...none } = settingsFrom({})
  expect(empty).toEqual(none)
  expect(none).toMatchObject({ port: 3000, logLevel: 'warn', walArchive: undefined, caps: { day: undefined } })
})
