import { verifyAudit } from '../identity/audit-chain.ts'
import { argumentsOf } from './arguments.mjs'
import { withDatabase } from './database.ts'

const { words } = argumentsOf('audit:verify')

/**
 * `npm run audit:verify`: checks that no entry of the audit log was changed, removed or inserted; exits with 1
 * otherwise. With a head that an earlier run printed (`npm run audit:verify -- 120:9f…`) it also checks the chain up to
 * that head.
 */
await withDatabase(async (db) => {
  const { rows, waiting, head, breaches } = await verifyAudit(db, words[0])
  for (const breach of breaches.slice(0, 100)) process.stdout.write(`✗ ${breach}\n`)
  if (breaches.length) process.exitCode = 1
  else process.stdout.write('✓ the audit log is as it was written\n')
  process.stdout.write(`${rows} rows linked, ${waiting} waiting for their link; keep this head elsewhere: ${head}\n`)
})
