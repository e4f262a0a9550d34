import { fold } from '@tallyroom/contract/text/fold'
import { Role } from '@tallyroom/contract/codes'
import type { Answer, Parsed } from '@tallyroom/contract'
import type { bankCalls } from '@tallyroom/contract/calls/points/bank'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { audit, differencesOf } from '../../identity/audit.ts'
import { bankSettings, type BankSettings, maskedNumber } from '../../accounts/bank.ts'
import { type Db, many, one, run, type Sql, sql } from '../../data/sql.ts'
import type { Ctx, Handlers } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { shownText } from '../../identity/masking.ts'
import { may } from '../../identity/policy.ts'
import { needFreshSignIn } from '../../identity/sessions.ts'
import { entries } from '../../identity/audit-entries.ts'
import { accountsOf, type StoredAccount, type Member, saveAccounts } from './bank/save.ts'
import { is } from '../../domain/is.ts'

/** The most changes of a member's bank accounts that are shown. */
const MAX_HISTORY = 200

type BankOwner = { username?: string | undefined; member_id?: number | undefined }

/** A member that the actor may see. Refused where members have no bank accounts. */
export const bankMember = async (
  db: Db,
  actor: Actor,
  { username, member_id }: BankOwner,
  lock = sql``,
): Promise<Member> => {
  const { is_third } = await bankSettings(db, actor)
  const byName = username === undefined ? sql`${member_id !== undefined}` : sql`lower(a.username) = lower(${username})`
  const byId = member_id === undefined ? sql`true` : sql`a.id = ${member_id}`
  const found = await one<Member>(
    db,
    sql`select a.id, a.top_id as "topId", a.username, a.is_sub as "isSub" from accounts a
      where a.role_id = ${is.member} and ${byName} and ${byId} and ${visibleAccounts(actor)} ${lock}`,
  )
  return ensure(is_third ? found : undefined, 'account.not_found')
}
/** Locks the member that `bankMember` finds. */
export const locked: Sql = sql`for no key update of a`

const dialogOf = (actor: Actor, { enable_bsb_code, bsb_code_alias }: BankSettings) => ({
  enable_bsb_code,
  bsb_code_alias,
  editable: may(actor, 'members/bank-card/create') ? (1 as const) : (0 as const),
})

/** CJ7: agents do not see whose the account is. */
const hidesNames = (actor: Actor, cj7: 0 | 1) => cj7 === 1 && actor.role === Role.agent

type ShownAccount = Answer<'members/bank-card'>['data'][number]
const asShown = (
  actor: Actor,
  member: Member,
  settings: BankSettings,
  account: StoredAccount,
  first: boolean,
): ShownAccount => ({
  id: account.id,
  bank_id: account.bank_id,
  ...(hidesNames(actor, settings.cj7) ? {} : { account_name: shownText(actor, member, account.account_name) }),
  account_no: maskedNumber(account.account_no),
  is_first: first ? 1 : 0,
  account_name_modify: settings.account_name_modify,
  held_until: account.held_until,
})

const listOf = async (db: Db, actor: Actor, owner: BankOwner): Promise<Answer<'members/bank-card'>> => {
  const member = await bankMember(db, actor, owner)
  const [settings, accounts] = await Promise.all([bankSettings(db, actor), accountsOf(db, member)])
  return {
    data: accounts.map((account, at) => asShown(actor, member, settings, account, at === 0)),
    ...dialogOf(actor, settings),
  }
}

const save = async (
  ctx: Ctx,
  owner: BankOwner,
  wanted: Parsed<'members/bank-card/create'>['accounts'],
  proof?: string,
) => {
  const member = await bankMember(ctx.db, ctx.actor, owner, locked)
  await saveAccounts(ctx, member, wanted, () => needFreshSignIn(ctx, proof))
  return null
}

export const bankHandlers = {
  'orderType/list': async ({ db, actor }) => ({
    data: await many<Answer<'orderType/list'>['data'][number]>(
      db,
      sql`select id, name, status from banks where top_id = ${actor.topId} order by lower(name)`,
    ),
  }),

  'orderType/save': async (ctx, { id, name, status }) => {
    const { db, actor } = ctx
    if (actor.id !== actor.topId) return refuse('access.denied')
    // The lock makes concurrent saves wait, so that the second one sees the first one's bank.
    await run(db, sql`select 1 from accounts where id = ${actor.id} for no key update`)
    const same = await one<{ id: number }>(
      db,
      sql`select id from banks where top_id = ${actor.topId} and fold(name) = ${fold(name)}`,
    )
    if (same && same.id !== id) return refuse('bank.name_taken')
    if (id === undefined) {
      const made = await one<{ id: number }>(
        db,
        sql`insert into banks (top_id, name, status) values (${actor.topId}, ${name}, ${status}) returning id`,
      )
      await audit(db, ctx, 'settings_changed', actor, { bank: name })
      return ensure(made, 'server.failed')
    }
    const before = ensure(
      await one<{ name: string; status: 0 | 1 }>(
        db,
        sql`select name, status from banks where id = ${id} and top_id = ${actor.topId}`,
      ),
      'bank.unknown',
    )
    await run(db, sql`update banks set name = ${name}, status = ${status} where id = ${id}`)
    const differences = differencesOf(
      { bank: before.name, bank_offered: before.status },
      { bank: name, bank_offered: status },
    )
    if (Object.keys(differences).length) await audit(db, ctx, 'settings_changed', actor, { bank: name, ...differences })
    return { id }
  },

  'members/hasBankCardSetting': async ({ db, actor }) => {
    const { has_bank_card_setting, bank_card_amount } = await bankSettings(db, actor)
    return { has_bank_card_setting, bank_card_amount: has_bank_card_setting ? bank_card_amount : 1 }
  },

  'members/bank-card': ({ db, actor }, owner) => listOf(db, actor, owner),

  'members/bank-card/history': async (ctx, owner) => {
    const { db, actor } = ctx
    const member = await bankMember(db, actor, owner)
    const { cj7 } = await bankSettings(db, actor)
    const found = sql`from audit_log l where l.target_id = ${member.id}
      and l.kind in ('bank_account_changed', 'bank_account_deleted')`
    // Colleagues know each other from their conversations.
    const isNamed = sql`(${visibleAccounts(actor)} or a.group_id = ${actor.groupId})`
    const { data } = await entries(ctx, found, { limit: MAX_HISTORY, offset: 0 }, isNamed)
    const isShown = ({ field }: { field: string }) => field !== 'account_name' || !hidesNames(actor, cj7)
    return { data: data.map((row) => ({ ...row, facts: row.facts.filter(isShown) })) }
  },

  'members/bank-card/create': (ctx, { accounts, current_password, ...owner }) =>
    save(ctx, owner, accounts, current_password),

  'members/bank-card/delete': async (ctx, { id, current_password, ...owner }) => {
    const { db, actor } = ctx
    const member = await bankMember(db, actor, owner, locked)
    const accounts = await accountsOf(db, member)
    const deleted = id === undefined ? accounts : accounts.filter((account) => account.id === id)
    if (id !== undefined && !deleted.length) return refuse('bank.not_found')
    if (!deleted.length) return null
    await needFreshSignIn(ctx, current_password)
    await run(db, sql`delete from bank_accounts where id = any(${deleted.map((account) => account.id)}::int[])`)
    for (const { bank, account_name, account_no } of deleted)
      await audit(db, ctx, 'bank_account_deleted', member, { bank, account_name, account_no: maskedNumber(account_no) })
    return null
  },

  'members/bank-account': async ({ db, actor }, owner) => {
    const { data, ...rest } = await listOf(db, actor, owner)
    return { data: data[0] ?? null, ...rest }
  },

  'members/bank-account/create': (ctx, { exist_data_id, current_password, username, member_id, ...account }) =>
    save(ctx, { username, member_id }, [{ id: exist_data_id, ...account }], current_password),

  'bank/addOwn': async (ctx, wanted) => {
    const { db, actor } = ctx
    const { is_third } = await bankSettings(db, actor)
    // The lock makes two sheets of one member add one account.
    const member = await one<Member>(
      db,
      sql`select a.id, a.top_id as "topId", a.username, a.is_sub as "isSub" from accounts a where a.id = ${actor.id} for no key update`,
    )
    const own = ensure(is_third ? member : undefined, 'account.not_found')
    if ((await accountsOf(db, own)).length > 0) return refuse('bank.too_many', { most: 1 })
    await saveAccounts(ctx, own, [wanted], () => needFreshSignIn(ctx, undefined))
    return null
  },

  'members/bank-account/show': async (ctx, { id, ...owner }) => {
    const { db, actor } = ctx
    const member = await bankMember(db, actor, owner)
    const account = ensure(
      (await accountsOf(db, member)).find((one) => one.id === id),
      'bank.not_found',
    )
    await audit(db, ctx, 'masked_shown', member, { account_no: maskedNumber(account.account_no) })
    return { account_no: account.account_no }
  },

  'bank_setting/view': async ({ db, actor }) => ({
    ...(await bankSettings(db, actor)),
    changeable: actor.id === actor.topId,
  }),

  'bank_setting/save': async (ctx, after) => {
    const { db, actor } = ctx
    if (actor.id !== actor.topId) return refuse('access.denied')
    await run(db, sql`select 1 from accounts where id = ${actor.id} for no key update`)
    const before = await bankSettings(db, actor)
    const differences = differencesOf(before, after)
    if (Object.keys(differences).length === 0) return null
    await run(
      db,
      sql`insert into bank_settings (top_id, is_third, has_bank_card_setting, bank_card_amount, enable_bsb_code,
          bsb_code_alias, account_name_modify, cj7)
        values (${actor.topId}, ${after.is_third}, ${after.has_bank_card_setting}, ${after.bank_card_amount},
          ${after.enable_bsb_code}, ${after.bsb_code_alias}, ${after.account_name_modify}, ${after.cj7})
        on conflict (top_id) do update set is_third = excluded.is_third, cj7 = excluded.cj7,
          has_bank_card_setting = excluded.has_bank_card_setting, bank_card_amount = excluded.bank_card_amount,
          enable_bsb_code = excluded.enable_bsb_code, bsb_code_alias = excluded.bsb_code_alias,
          account_name_modify = excluded.account_name_modify, updated_at = now()`,
    )
    if (before.is_third !== after.is_third) await setThirdParty(db, actor, after.is_third)
    await audit(db, ctx, 'settings_changed', actor, differences)
    return null
  },
} satisfies Handlers<typeof bankCalls>

/** Sends no events for what may be ten thousand rooms: lists get the change with their next request. */
const setThirdParty = async (db: Db, { topId }: Actor, isThird: 0 | 1) => {
  const rooms = sql`r.top_id = ${topId} and r.is_third <> ${isThird}
    and exists (select from accounts a where a.id = r.partner_id and a.role_id = ${is.member})`
  // In the order of ids, as everywhere, to avoid deadlocks.
  const found = await many<{ id: number }>(
    db,
    sql`select r.id from rooms r where ${rooms} order by r.id for no key update of r`,
  )
  await run(
    db,
    sql`update rooms set is_third = ${isThird}, version = version + 1, desk_version = desk_version + 1,
      changed_xid = pg_current_xact_id() where id = any(${found.map(({ id }) => id)}::int[])`,
  )
}
