import { type Database, many, run, sql } from '../../data/sql.ts'
import { type InstallationKey, SEALED } from '../installation-key.ts'

/** Whose secret of an authenticator it is. */
export const rowOf = (accountId: number): string => `second_factors/${accountId}`

type Plain = { id: number; secret: string | null; pending: string | null }

/** Seals the secrets that were stored before there was a key. */
export const sealPlainSecrets = async (db: Database, key: InstallationKey): Promise<void> => {
  const plain = await many<Plain>(
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
