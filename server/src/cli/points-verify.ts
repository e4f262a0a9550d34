import { checkConfirmations } from '../ledger/check/confirmations.ts'
import { argumentsOf } from './arguments.mjs'
import { withDatabase } from './database.ts'

argumentsOf('points:verify')

/** `npm run points:verify`: checks the passkey signatures of transfers; exits with 1 when any does not hold. */
await withDatabase(async (db) => {
  const { checked, withoutTransfer, faults } = await checkConfirmations(db)
  for (const { id, transactionId, what } of faults)
    process.stdout.write(
      `✗ ${transactionId ?? `confirmation ${id}`}: ${what === 'signature' ? 'the signature is not that of the passkey' : 'something else was signed than has moved'}\n`,
    )
  process.stdout.write(
    `${checked} signatures checked (${withoutTransfer} of refused transfers), ${faults.length} do not hold.\n`,
  )
  if (faults.length) process.exitCode = 1
})
