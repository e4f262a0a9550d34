import { type Database, many, run, sql } from '../../data/sql.ts'
import { type InstallationKey, SEALED } from '../../data/installation-key.ts'

/** The row that an authenticator's secret is sealed for. */
export const rowOf = (accountId: number): string => `second_factors/${accountId}`

type PlainSecrets = { id: number; secret: string | null; pending: string | null }

/** Seals secrets that were stored by versions without an installation key. */
export const sealPlainSecrets = async (db: Database, key: InstallationKey): Promise<void> => {
  const plain = await many<PlainSecrets>(
    db,
    sql`select account_id as id, totp_secret as secret, totp_pending as pending from second_factors
      where not starts_with(totp_secret, ${SEALED}) or not starts_with(totp_pending, ${SEALED})`,
  )
  for (const { id, secret, pending } of plain) {
    const seal = (text: string | null) =>
      text === null || text.startsWith(SEALED) ? text : key.sealSecret(text, rowOf(id))
    await run(
      db,
      sql`update second_factors set totp_secret = ${seal(secret)}, totp_pending = ${seal(pending)}
        where account_id = ${id} and totp_secret is not distinct from ${secret}
          and totp_pending is not distinct from ${pending}`,
    )
  }
}
