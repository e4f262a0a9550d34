import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './shell.mjs'

const firstLine = (text = '') =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .find(Boolean) ?? 'It gives no reason.'

const lines = (sign, file, title, error) => `${sign} ${file}${title && ` › ${title}`}\n    ${firstLine(error)}`

/** What failed in a report of Vitest: file and title of a test, and the first line of its error. */
export const failedTests = ({ testResults }) =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    // A file that cannot be loaded, or whose tests could not begin.
    if (status === 'failed' && failed.length === 0) return [lines('✗', file, '', message)]
    return failed.map(({ fullName, failureMessages }) => lines('✗', file, fullName, failureMessages[0]))
  })

const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)]

/** The same of Playwright: journeys that failed, those that passed only at their second try, and what broke all of them. */
export const failedJourneys = ({ suites, errors }) => {
  const failed = errors.map(({ message }) => lines('✗', 'e2e', '', message))
  const flaky = []
  for (const { file, line, title, tests } of suites.flatMap(specsOf))
    for (const { status, results } of tests) {
      if (status !== 'unexpected' && status !== 'flaky') continue
      const error = results.find(({ error: found }) => found)?.error.message
      const told = lines(status === 'flaky' ? '~' : '✗', `e2e/${file}:${line}`, title, error)
      if (status === 'flaky') flaky.push(told)
      else failed.push(told)
    }
  return { failed, flaky }
}
