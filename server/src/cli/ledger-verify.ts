import { run, sql } from '../data/sql.ts'
import { verifySeal } from '../ledger/seal/verify.ts'
import { argumentsOf } from './arguments.mjs'
import { withDatabase } from './database.ts'

const { words: heads } = argumentsOf('ledger:verify')

/**
 * `npm run ledger:verify`: checks that no sealed transfer or posting was changed, removed or put in; exits with 1
 * otherwise. With heads from statements or earlier runs (`npm run ledger:verify -- 120:9f…`) it also checks that the seal
 * is the one that they were taken from.
 */
await withDatabase(async (db) => {
  const { rows, blocks, waiting, head, breaches } = await db.transact(async (tx) => {
    await run(tx, sql`set transaction isolation level repeatable read, read only`)
    return verifySeal(tx, heads)
  })
  for (const breach of breaches.slice(0, 100)) process.stdout.write(`✗ ${breach}\n`)
  if (breaches.length > 100) process.stdout.write(`✗ and ${breaches.length - 100} more\n`)
  if (breaches.length) process.exitCode = 1
  else process.stdout.write('✓ the ledger is as it was sealed\n')
  process.stdout.write(
    `${rows} postings in ${blocks} blocks, ${waiting} waiting for their seal; keep this head elsewhere: ${head}\n`,
  )
})
