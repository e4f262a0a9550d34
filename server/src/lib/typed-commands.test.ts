import { expect, test } from 'vitest'
import { asTyped, lineOf } from './typed-commands.ts'

test.each([
  ['Try one each week: npm run drill -- DIR.', 'Try one each week: /opt/t/tallyroom drill DIR.'],
  ['See npm run ledger:check.', 'See /opt/t/tallyroom ledger:check.'],
  ['npm run person -- erase NAME --again NAME', '/opt/t/tallyroom person erase NAME --again NAME'],
  ['npm run api-key -- COMMAND', '/opt/t/tallyroom api-key COMMAND'],
  ['then: npm run key, npm run audit:verify.', 'then: /opt/t/tallyroom key, /opt/t/tallyroom audit:verify.'],
])('[RUN-12] in a release, "%s" names the program of the release', (words, typed) => {
  expect(asTyped(words, '/opt/t/tallyroom')).toBe(typed)
  expect(asTyped(words, undefined)).toBe(words)
})

test('[RUN-03] with LOG_FORMAT=json what the start says has the form of the other lines of the log', () => {
  expect(lineOf('Ready.', 'info', 'text')).toBe('Ready.\n')
  const line = lineOf('\nReady: "a"\nb\n', 'info', 'json')
  expect(line.split('\n')).toHaveLength(2)
  expect(JSON.parse(line)).toMatchObject({ level: 'info', time: expect.stringMatching(/Z$/), msg: 'Ready: "a"\nb' })
})
