import type { MemberApi } from '@tallyroom/contract/member-api'
import { Role } from '@tallyroom/contract/codes'
import type { z } from 'zod'
import { type AccountColumns, accountColumns, accountTables, asAccountRow } from '../../accounts/accounts.ts'
import { viewAbilities } from '../../calls/accounts/ability.ts'
import { viewLimits } from '../../calls/points/limit.ts'
import { type Db, many, type Sql, sql } from '../../data/sql.ts'
import { inBranch } from '../../identity/actor.ts'
import { unmasked } from '../../identity/masking.ts'
import type { ApiCtx } from '../context.ts'
import { type ApiAccount, below } from '../named-account.ts'
import { inOfficeReading } from './in-office.ts'
import { ensure } from '../../lib/refusal.ts'
import { is } from '../../domain/is.ts'

type Input<N extends keyof MemberApi> = z.output<MemberApi[N]['request']>
type Account = z.output<MemberApi['account/list']['response']>['data'][number]

type AccountRow = AccountColumns & {
  third_party_id: string | null
  parent: string
  group: string
  event_mode: 0 | 1
  share_code: string
}

/** Accounts of people that were not erased, by a condition on the alias `a`. */
const rowsOf = (db: Db, condition: Sql): Promise<AccountRow[]> =>
  many<AccountRow>(
    db,
    sql`select ${accountColumns}, a.third_party_id, coalesce(u.username, '') as parent, g.username as "group", a.event_mode, a.share_code
      from ${accountTables} left join accounts u on u.id = a.parent_id join accounts g on g.id = a.group_id
      where a.role_id <> ${is.gameAccount} and not a.is_key and a.username <> 'erased-' || a.id and ${condition}`,
  )

const asAccount = (row: AccountRow): Account => {
  const shown = asAccountRow(row, unmasked)
  return {
    username: shown.username,
    third_party_id: row.third_party_id,
    nickname: shown.nickname,
    role_id: shown.role_id,
    parent: row.parent,
    status: shown.status,
    balance: shown.balance,
    game_wallet: shown.game_wallet,
    unlimited: shown.unlimited,
    limit_of_credit: shown.limit_of_credit,
    used_credit: shown.used_credit,
    created_at: shown.created_at,
    last_seen_at: shown.last_seen_at,
  }
}

export const accountOf = async (db: Db, id: number) => {
  const [row] = await rowsOf(db, sql`a.id = ${id}`)
  const found = ensure(row, 'account.not_found')
  return { row: found, account: asAccount(found) }
}

/** The abilities and limits of an agent or of customer service, as the office shows them. */
export const abilitiesAndLimits = async (office: Awaited<ReturnType<typeof inOfficeReading>>, id: number) => {
  const {
    id: _,
    role_id: _r,
    username: _u,
    limit_of_credit: _l,
    unlimited: _n,
    changeable: _c,
    ...abilities
  } = await viewAbilities(office, id)
  const { limits } = await viewLimits(office, id)
  return {
    abilities,
    limits: limits.map(({ type, transfer, hour, day, member }) => ({ type, transfer, hour, day, member })),
  }
}

const hasAbilities = ({ role }: ApiAccount) => role === Role.agent || role === Role.customerService

export const accountReads = {
  'account/view': async (ctx: ApiCtx, who: Input<'account/view'>) => {
    const found = await below(ctx, who, true)
    const { row, account } = await accountOf(ctx.db, found.id)
    const { group, withdraw_confirm, event_mode, share_code } = row
    const more = hasAbilities(found)
      ? await abilitiesAndLimits(await inOfficeReading(ctx), found.id)
      : { abilities: null, limits: null }
    return { ...account, group, withdraw_confirm, event_mode, share_code, ...more }
  },

  'account/list': async (ctx: ApiCtx, input: Input<'account/list'>) => {
    const { username, third_party_id, role_id, direct, after, per_page } = input
    const isAll = username === undefined && third_party_id === undefined
    const head = isAll ? undefined : await below(ctx, { username, third_party_id }, true)
    const from = head?.id ?? ctx.topId
    const branch = head ? inBranch(head.path) : sql`true`
    const rows = await rowsOf(
      ctx.db,
      sql`a.top_id = ${ctx.topId} and a.id <> ${from} and ${branch}
        and ${direct ? sql`a.parent_id = ${from}` : sql`true`} and ${role_id === undefined ? sql`true` : sql`a.role_id = ${role_id}`}
        and a.id > ${Number(after ?? 0)}::bigint order by a.id limit ${per_page + 1}`,
    )
    const page = rows.slice(0, per_page)
    const last = page.at(-1)
    return { data: page.map(asAccount), next: rows.length > per_page && last ? `account-${last.id}` : null }
  },
}
