import type { Parsed } from '@tallyroom/contract'
import { audit, differencesOf } from '../../../identity/audit.ts'
import { bankSettings, type BankSettings, isNumber, maskedNumber } from '../../../accounts/bank.ts'
import { type Db, many, one, run, sql } from '../../../data/sql.ts'
import { is } from '../../../domain/is.ts'
import type { Ctx } from '../../handler.ts'
import { ensure, refuse } from '../../../lib/refusal.ts'
import { type Named, shownText } from '../../../identity/masking.ts'

export type Member = Named & { topId: number }
export type StoredAccount = {
  id: number
  bank_id: number
  bank: string
  account_name: string
  account_no: string
  held_until: string | null
}
type NewAccount = Parsed<'members/bank-card/create'>['accounts'][number]

/** The accounts of a member, the first one first. */
export const accountsOf = (db: Db, { id }: Member): Promise<StoredAccount[]> =>
  many<StoredAccount>(
    db,
    sql`select c.id, c.bank_id, b.name as bank, c.account_name, c.account_no,
        case when c.changed_at > now() - interval '1 day' then to_char((c.changed_at + interval '1 day') at time zone 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS"Z"') end as held_until
      from bank_accounts c join banks b on b.id = c.bank_id where c.member_id = ${id} order by c.id`,
  )

/**
 * Changes the accounts with an id and adds the others. Changing an existing one needs a proof, of a person a fresh sign-in:
 * with a stolen session the next payout would go elsewhere. The member is locked.
 */
export const saveAccounts = async (
  ctx: Pick<Ctx, 'db' | 'actor' | 'caller'>,
  member: Member,
  wanted: NewAccount[],
  prove: () => Promise<void>,
): Promise<void> => {
  const { db, actor } = ctx
  const settings = await bankSettings(db, actor)
  const have = await accountsOf(db, member)
  const most = settings.has_bank_card_setting ? settings.bank_card_amount : 1
  const added = wanted.filter(({ id }) => id === undefined)
  if (added.length && have.length + added.length > most) return refuse('bank.too_many', { most })
  let proved = false
  for (const one of wanted) {
    const old =
      one.id === undefined
        ? undefined
        : ensure(
            have.find(({ id }) => id === one.id),
            'bank.not_found',
          )
    const next = await nextOf(ctx, member, settings, one, old, have[0])
    const differences = old && differencesOf(factsOf(old), factsOf(next))
    const redirects = old && (old.bank_id !== next.bank_id || old.account_no !== next.account_no)
    if (differences && !redirects && Object.keys(differences).length === 0) continue
    if (old && !proved) {
      await prove()
      proved = true
    }
    const kept = old ? await update(db, old, next, redirects === true) : await add(db, member, next)
    if (old) have.splice(have.indexOf(old), 1, kept)
    else have.push(kept)
    if (old && have[0] === kept && !settings.account_name_modify) await rename(db, have, old.account_name, kept)
    // Two numbers may look the same once they are masked.
    const number = redirects
      ? { account_no: [maskedNumber(old.account_no), maskedNumber(next.account_no)] as const }
      : {}
    await audit(db, ctx, 'bank_account_changed', member, { ...(differences ?? factsOf(next)), ...number })
  }
}

type AccountValues = Pick<StoredAccount, 'bank_id' | 'bank' | 'account_name' | 'account_no'>

const factsOf = ({ bank, account_name, account_no }: AccountValues) => ({
  bank,
  account_name,
  account_no: maskedNumber(account_no),
})

const nextOf = async (
  { db, actor }: Pick<Ctx, 'db' | 'actor'>,
  member: Member,
  settings: BankSettings,
  wanted: NewAccount,
  old: StoredAccount | undefined,
  first: StoredAccount | undefined,
): Promise<AccountValues> => {
  // Other accounts carry the first one's name, unless the settings allow names of their own.
  const hasOwnName = first === undefined || old === first || settings.account_name_modify === 1
  // A viewer who sees the name masked sends the masked name back: that is no change.
  const given =
    old && wanted.account_name === shownText(actor, member, old.account_name) ? undefined : wanted.account_name
  const account_name = ensure(
    hasOwnName ? (given ?? old?.account_name) : (old ?? first).account_name,
    'bank.incomplete',
  )
  const account_no = ensure(wanted.account_no ?? old?.account_no, 'bank.incomplete')
  if (account_no !== old?.account_no && !isNumber(account_no, settings.enable_bsb_code === 1))
    return refuse('bank.number_invalid')
  const bank = ensure(
    await one<{ name: string }>(
      db,
      sql`select name from banks where id = ${wanted.bank_id} and top_id = ${member.topId}
        and (status = ${is.offered} or id = ${old?.bank_id ?? null})`,
    ),
    'bank.unknown',
  )
  return { bank_id: wanted.bank_id, bank: bank.name, account_name: account_name.trim(), account_no }
}

const add = async (db: Db, member: Member, next: AccountValues): Promise<StoredAccount> => {
  const made = await one<{ id: number }>(
    db,
    sql`insert into bank_accounts (top_id, member_id, bank_id, account_name, account_no)
      values (${member.topId}, ${member.id}, ${next.bank_id}, ${next.account_name}, ${next.account_no}) returning id`,
  )
  return { ...next, ...ensure(made, 'server.failed'), held_until: null }
}

const update = async (db: Db, old: StoredAccount, next: AccountValues, redirects: boolean): Promise<StoredAccount> => {
  await run(
    db,
    sql`update bank_accounts set bank_id = ${next.bank_id}, account_name = ${next.account_name}, account_no = ${next.account_no},
      changed_at = case when ${redirects} then now() else changed_at end where id = ${old.id}`,
  )
  return { ...old, ...next }
}

/** When the first account is renamed, accounts with its old name are renamed too. */
const rename = (db: Db, [first, ...rest]: StoredAccount[], before: string, { account_name }: StoredAccount) => {
  const ids = rest.filter((one) => first && one.account_name === before).map(({ id }) => id)
  return run(db, sql`update bank_accounts set account_name = ${account_name} where id = any(${ids}::int[])`)
}
