import { type Sql, sql } from '../data/sql.ts'

/** Whether an account has a second factor (PASS-03): a passkey, an authenticator or a phone. */
export const factorExists = (account: Sql): Sql =>
  sql`(exists (select from passkeys p where p.account_id = ${account}) or exists (select from second_factors f
    where f.account_id = ${account} and (f.totp_secret is not null or f.phone is not null)))`
