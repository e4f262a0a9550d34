import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failedJourneys, failedTests } from './failures.mjs'
import { root } from './shell.mjs'

test('a failed test is named by file, title and the first line of its error, apart from one that passed then; so is a file that cannot be loaded', () => {
  const assertion = (status: string, fullName: string, ...failureMessages: string[]) => ({
    status,
    fullName,
    failureMessages,
  })
  const testResults = [
    {
      name: join(root, 'server/src/a.test.ts'),
      status: 'failed',
      message: '',
      assertionResults: [
        assertion('passed', 'goes well'),
        assertion('passed', 'goes well at last', 'Error: no answer\n    at a.test.ts:9'),
        assertion(
          'failed',
          'rooms: one is missing',
          '\n\u001b[31mAssertionError: expected 1\u001b[39m\n    at a.test.ts:1',
        ),
      ],
    },
    { name: join(root, 'web/src/b.test.tsx'), status: 'failed', message: 'Cannot find module x', assertionResults: [] },
    { name: join(root, 'web/src/c.test.tsx'), status: 'passed', message: '', assertionResults: [] },
  ]
  expect(failedTests({ testResults })).toEqual({
    failed: [
      '✗ server/src/a.test.ts › rooms: one is missing\n    AssertionError: expected 1',
      '✗ web/src/b.test.tsx\n    Cannot find module x',
    ],
    flaky: ['~ server/src/a.test.ts › goes well at last\n    Error: no answer'],
  })
})

test('a failed journey is named, also within groups, and apart from those that passed at their second try', () => {
  const spec = (title: string, status: string, ...messages: (string | undefined)[]) => ({
    file: 'journeys/office/a.journey.ts',
    line: 7,
    title,
    tests: [
      { status, results: messages.map((message) => ({ error: message === undefined ? undefined : { message } })) },
    ],
  })
  const suites = [
    {
      specs: [spec('fine', 'expected', undefined), spec('shaky', 'flaky', 'Error: page.goto\nmore', undefined)],
      suites: [{ specs: [spec('broken', 'unexpected', 'Error: first\nmore', 'Error: second')] }],
    },
  ]
  expect(failedJourneys({ suites, errors: [{ message: 'Error: no database' }] })).toEqual({
    failed: ['✗ e2e\n    Error: no database', '✗ e2e/journeys/office/a.journey.ts:7 › broken\n    Error: first'],
    flaky: ['~ e2e/journeys/office/a.journey.ts:7 › shaky\n    Error: page.goto'],
  })
})
