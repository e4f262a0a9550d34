import type { Finding } from '../ledger/check/check.ts'
import { checkAndStore } from '../ledger/read/reconciliation.ts'
import { wordsFor } from '../lib/words.ts'
import { checkZone } from '../ledger/check/time-zone.ts'
import { argumentsOf } from './arguments.mjs'
import { withDatabase } from './database.ts'

const { flags } = argumentsOf('ledger:check')

const asJson = (findings: Finding[]) =>
  `${JSON.stringify(findings.map(({ rule, breaches }) => ({ rule, breaches: breaches.map(({ what }) => what) })))}\n`

const asLines = (findings: Finding[]) =>
  findings
    .flatMap(({ rule, breaches }) => [
      `${breaches.length ? '✗' : '✓'} ${wordsFor('en', `rule.${rule}`)}\n`,
      ...breaches.map(({ what }) => `    ${what}\n`),
    ])
    .join('')

/** `npm run ledger:check`: prints one line for each invariant; exits with 1 when any does not hold. */
await withDatabase(async (db, { timeZone }) => {
  await checkZone(db, timeZone)
  const findings = await checkAndStore(db, null, timeZone)
  process.stdout.write(flags.json ? asJson(findings) : asLines(findings))
  if (findings.some(({ breaches }) => breaches.length)) process.exitCode = 1
})
