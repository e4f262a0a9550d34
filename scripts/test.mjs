import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { failedJourneys, failedTests } from './failures.mjs'
import { install } from './install.mjs'
import { node, programOf, root } from './shell.mjs'

/** What failed, and what passed only at its second try: named again at the end, which a cut log keeps. */
const failed = []
const flaky = []

/** The result of one part. A part that fails without naming a failed test counts as one failure. */
const result = (name, code, counts) => {
  const { passed, failed: wrong, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 }
  const broken = wrong === 0 && (code !== 0 || counts === undefined)
  if (broken) failed.push(`✗ ${name} did not come to a proper end (exit code ${code}).`)
  return { passed, failed: wrong + (broken ? 1 : 0), skipped }
}

/** Reads a runner's report; undefined when there is none. */
const report = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

const results = join(root, 'test-results')

const checks = async () => {
  const { code, output } = await node([join(root, 'scripts/check.mjs'), '--without-tidy'])
  console.log(output.trim())
  if (code !== 0) failed.push(...output.split('\n').filter((line) => line.startsWith('✗')))
  return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 }
}

const tests = async (args) => {
  const file = join(results, 'tests.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code, output } = await node([programOf('vitest'), 'run', ...reporters, ...args])
  // Not line by line between those of the journeys.
  console.log(output.trim())
  const found = report(file)
  if (!found) return result('vitest', code)
  const named = failedTests(found)
  failed.push(...named.failed)
  flaky.push(...named.flaky)
  const counts = {
    passed: found.numPassedTests,
    failed: named.failed.length,
    skipped: found.numPendingTests + found.numTodoTests,
  }
  return result('vitest', code, counts)
}

const canFindBrowser = async () => {
  const find = async () => (await node([programOf('tsx'), join(root, 'scripts/find-browser.ts')])).code === 0
  if (await find()) return true
  console.log('No Chromium here; fetching one…')
  await node([programOf('@playwright/test', 'playwright'), 'install', 'chromium'])
  return find()
}

const journeys = async (args) => {
  if (!(await canFindBrowser())) {
    failed.push(
      '✗ Chromium is missing, which the journeys need. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH.',
    )
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const file = join(results, 'journeys.json')
  const { code } = await node(
    [programOf('@playwright/test', 'playwright'), 'test', '--config', join(root, 'e2e/playwright.config.ts'), ...args],
    {
      loud: true,
    },
  )
  const found = report(file)
  if (!found) return result('playwright', code)
  const named = failedJourneys(found)
  failed.push(...named.failed)
  flaky.push(...named.flaky)
  const { stats, errors } = found
  const counts = {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  }
  return result('playwright', code, counts)
}

// `npm test -- members` runs the tests whose file has "members" in its name.
const args = process.argv.slice(2)
const outcomes = []
try {
  install()
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  const checking = checks()
  try {
    await build()
    // Side by side: each waits often enough for sockets, clocks and passwords to leave a processor to the others.
    outcomes.push(...(await Promise.all([tests(args), journeys(args)])))
  } finally {
    outcomes.push(await checking)
  }
} catch (error) {
  failed.push(`✗ ${error.message}`)
  outcomes.push({ passed: 0, failed: 1, skipped: 0 })
}

const sum = (what) => outcomes.reduce((total, outcome) => total + outcome[what], 0)
if (flaky.length) console.log(['Passed only at their second try:', ...flaky].join('\n'))
if (failed.length) console.log(['Failed:', ...failed].join('\n'))
if (sum('skipped')) console.log(`${sum('skipped')} skipped`)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') === 0 && sum('passed') > 0 ? 0 : 1
