import { checkAndKeep } from '../ledger/standing.ts'
import { withDatabase } from './database.ts'

/** `npm run ledger:check`: one line for each invariant of the ledger; ends with 1 when any does not hold. */
await withDatabase(async (db, { timeZone }) => {
  const findings = await checkAndKeep(db, null, timeZone)
  for (const { name, breaches } of findings) {
    process.stdout.write(`${breaches.length ? '✗' : '✓'} ${name}\n`)
    for (const breach of breaches) process.stdout.write(`    ${breach}\n`)
  }
  if (findings.some(({ breaches }) => breaches.length)) process.exitCode = 1
})
