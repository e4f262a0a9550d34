import { apiDates } from '@tallyroom/contract/api/dates'
import { apiRights } from '@tallyroom/contract/api/rights'
import { actorOfKey, makeApiKey, noTerms, saveTerms } from '../accounts/api-keys.ts'
import { openSandbox } from '../accounts/sandbox.ts'
import { run, sql } from '../data/sql.ts'
import type { Running } from '../start/serve.ts'

/**
 * The platform's program that pays points out stopped while it had Lokesh's request: nobody knows whether it has paid, and
 * a person looks at the bank first.
 */
const losePayment = async ({ services: { db, ledger } }: Running, actorId: number): Promise<void> => {
  await run(
    db,
    sql`update cash_requests c set state = 'taken', taken_by = ${actorId}, lease_until = now(),
        bank_reference = 'Maybank batch 1130-07'
      from accounts a where a.id = c.member_id and a.username = 'lokesh' and c.state = 'asked'`,
  )
  await ledger.expireDue()
}

/**
 * The game server reports bets from its network; a new one of the website has no rights yet, one of tests works in
 * the sandbox, and one pays points out. Nobody knows their secrets.
 */
export const makeKeys = async (running: Running, topId: number): Promise<void> => {
  const { services } = running
  const payer = await services.db.transact(async (tx) => {
    const game = await makeApiKey(tx, services.key, topId, 'Game server')
    const rights = ['accounts:read', 'bets', 'webhooks'] as const
    const terms = { ...noTerms, rights: [...rights], addresses: ['203.0.113.0/24'], per_second: 200 }
    await saveTerms(tx, game.id, terms, services.settings.timeZone)
    await run(
      tx,
      sql`insert into api_key_days (key_id, day, calls, refused)
        select ${game.id}, current_date - n, 4200 + 137 * n, n % 3 from generate_series(0, 6) n`,
    )
    await run(tx, sql`update api_keys set used_at = now() where id = ${game.id}`)
    await makeApiKey(tx, services.key, topId, 'Website')
    const tests = await makeApiKey(tx, services.key, await openSandbox(tx, topId), 'Tests', 'tks')
    const version = apiDates[0]
    await saveTerms(tx, tests.id, { ...noTerms, rights: [...apiRights], version }, services.settings.timeZone)
    const payouts = await makeApiKey(tx, services.key, topId, 'Payouts')
    await saveTerms(tx, payouts.id, { ...noTerms, rights: ['cash:fulfil'] }, services.settings.timeZone)
    return actorOfKey(tx, payouts.id)
  })
  await losePayment(running, payer)
}
