import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './shell.mjs'

const firstLine = (text = '') =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .find(Boolean) ?? 'It gives no reason.'

const lines = (sign, file, title, error) => `${sign} ${file}${title && ` › ${title}`}\n    ${firstLine(error)}`

/** What failed in a report of Vitest: file and title of a test, and the first line of its error; and what passed only at its second try. */
export const failedTests = ({ testResults }) => {
  const failed = []
  const flaky = []
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(root, name)
    const wrong = assertionResults.filter((test) => test.status === 'failed')
    // A file that cannot be loaded, or whose tests could not begin.
    if (status === 'failed' && wrong.length === 0) failed.push(lines('✗', file, '', message))
    for (const { fullName, failureMessages } of wrong) failed.push(lines('✗', file, fullName, failureMessages[0]))
    // A test that passed has the errors of its first try.
    for (const { status: end, fullName, failureMessages } of assertionResults)
      if (end === 'passed' && failureMessages.length > 0) flaky.push(lines('~', file, fullName, failureMessages[0]))
  }
  return { failed, flaky }
}

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
