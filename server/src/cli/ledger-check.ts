import { checkAndStore } from '../ledger/read/reconciliation.ts'
import { wordsFor } from '../lib/words.ts'
import { checkZone } from '../ledger/check/time-zone.ts'
import { argumentsOf } from './arguments.mjs'
import { withDatabase } from './database.ts'

const { flags } = argumentsOf('ledger:check')

/** `npm run ledger:check`: prints one line for each invariant; exits with 1 when any does not hold. */
await withDatabase(async (db, { timeZone }) => {
  await checkZone(db, timeZone)
  const findings = await checkAndStore(db, null, timeZone)
  if (flags.json)
    process.stdout.write(
      `${JSON.stringify(findings.map(({ rule, breaches }) => ({ rule, breaches: breaches.map(({ what }) => what) })))}\n`,
    )
  for (const { rule, breaches } of flags.json ? [] : findings) {
    process.stdout.write(`${breaches.length ? '✗' : '✓'} ${wordsFor('en', `rule.${rule}`)}\n`)
    for (const { what } of breaches) process.stdout.write(`    ${what}\n`)
  }
  if (findings.some(({ breaches }) => breaches.length)) process.exitCode = 1
})
