import { randomInt } from 'node:crypto'
import { formatPoints } from '@tallyroom/contract/points'
import type { z } from 'zod'
import type { AccountRow, OwnView } from '@tallyroom/contract/calls/accounts/account'
import { limitToUpline, lockAbilities } from './abilities.ts'
import { lockTree } from './tree-lock.ts'
import { isOffice, isOperator, Role } from '@tallyroom/contract/codes'
import { type Db, one, type Row, type Sql, sql, type Tx } from '../data/sql.ts'
import { is } from '../domain/is.ts'
import { isSandbox } from '../domain/sandboxes.ts'
import { ensure, Refused } from '../lib/refusal.ts'
import { openWallets } from '../ledger/engine/wallets.ts'
import { startPages } from '../identity/policy.ts'
import { unmasked, shownText, shownUsername, type Viewer } from '../identity/masking.ts'
import { mediaUrl } from '../chat/media-url.ts'

export type NewAccount = {
  parent: { id: number; topId: number; path: string; groupId: number } | undefined
  role: Role
  username: string
  nickname: string
  passwordHash: string
  /** Somebody else knows the password: the account must choose its own at its first sign-in. */
  mustChoosePassword?: boolean
  thumbnailId?: string | null
  limitOfCredit?: bigint
  unlimited?: boolean
  /** The platform's own id for the account. */
  thirdPartyId?: string | undefined
}

/** Letters that are not easily confused. */
const SHARE_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const shareCode = () => Array.from({ length: 8 }, () => SHARE_LETTERS[randomInt(SHARE_LETTERS.length)]).join('')

/**
 * Makes an account with its wallets, below its parent, with no right that the agent above lacks.
 * @throws Refused with account.username_taken or account.third_party_id_taken
 */
export const makeAccount = async (
  tx: Tx,
  account: NewAccount,
): Promise<{ id: number; topId: number; groupId: number }> => {
  const { parent, role } = account
  if (parent) await lockTree(tx, parent.topId, 'make')
  const hasRights = parent !== undefined && isOffice(role)
  if (hasRights) await lockAbilities(tx, parent.topId, 'make')
  try {
    const made = ensure(
      await one<{ id: number; topId: number; groupId: number }>(
        tx,
        sql`with made as (select nextval(pg_get_serial_sequence('accounts', 'id'))::int as id)
          insert into accounts (id, top_id, parent_id, group_id, path, role_id, username, nickname, password_hash, share_code,
            thumbnail_id, is_funded, third_party_id, must_choose_password)
          -- The parent may have been moved since the caller read it.
          select made.id, coalesce(p.top_id, made.id), p.id,
            case when ${isOperator(role)} then made.id else p.group_id end,
            coalesce(p.path, '/') || made.id || '/', ${role}, ${account.username}, ${account.nickname}, ${account.passwordHash},
            ${shareCode()}, ${account.thumbnailId ?? null}, ${isOperator(role)}, ${account.thirdPartyId ?? null},
            ${account.mustChoosePassword ?? false}
          from made left join accounts p on p.id = ${parent?.id ?? null}::int returning id, top_id as "topId", group_id as "groupId"`,
      ),
      'server.failed',
    )
    if (hasRights) await limitToUpline(tx, { id: made.id, role })
    await openWallets(tx, {
      accountId: made.id,
      topId: made.topId,
      role,
      unlimited: account.unlimited ?? false,
      limitOfCredit: account.limitOfCredit ?? 0n,
    })
    return made
  } catch (error) {
    return onTakenName(account.username)(error)
  }
}

/** Goes into `catch` of a statement that names an account: refuses a name that another account has. */
export const onTakenName =
  (username: string) =>
  (error: unknown): never => {
    const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
    if (constraint === 'accounts_username') throw new Refused('account.username_taken', { username })
    if (constraint === 'accounts_third_party') throw new Refused('account.third_party_id_taken')
    throw error
  }

/** The columns of an account `a` with its wallets, for lists and views. */
export const accountColumns: Sql = {
  text: `a.id, a.role_id, a.username, a.nickname, a.thumbnail_id, a.status, a.withdraw_confirm, a.is_multiple_wallet, a.is_sub, a.is_funded,
    to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at,
    to_char(a.last_seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last_seen_at,
    m.balance as main_balance, m.floor as main_floor, coalesce(w.balance, 0) as game_balance`,
  values: [],
}
export const accountTables: Sql = {
  text: `accounts a join wallets m on m.account_id = a.id and m.kind = ${is.mainWallet.text}
    left join wallets w on w.account_id = a.id and w.kind = ${is.gameWallet.text}`,
  values: [],
}

export type AccountColumns = Row & {
  id: number
  role_id: Role
  username: string
  nickname: string
  thumbnail_id: string | null
  status: 0 | 1
  withdraw_confirm: 0 | 1
  is_multiple_wallet: 0 | 1
  is_sub: 0 | 1
  is_funded: boolean
  created_at: string
  last_seen_at: string | null
  main_balance: bigint
  main_floor: bigint | null
  game_balance: bigint
}

/** Username and nickname of a row, masked for the viewer. */
export const namesOf = (row: Pick<AccountColumns, 'id' | 'username' | 'nickname' | 'is_sub'>, viewer: Viewer) => {
  const account = { id: row.id, username: row.username, isSub: row.is_sub }
  return { username: shownUsername(viewer, account), nickname: shownText(viewer, account, row.nickname) }
}

/** "-1" means unlimited on the wire only, and only when `unlimited` is true: a balance can really be -1. */
export const asAccountRow = (row: AccountColumns, viewer: Viewer): z.output<typeof AccountRow> => {
  const unlimited = row.main_floor === null
  return {
    id: row.id,
    role_id: row.role_id,
    ...namesOf(row, viewer),
    thumbnail: mediaUrl(row.thumbnail_id),
    status: row.status,
    withdraw_confirm: row.withdraw_confirm,
    balance: unlimited ? '-1' : formatPoints(row.main_balance),
    game_wallet: formatPoints(row.game_balance),
    is_multiple_wallet: row.is_multiple_wallet,
    unlimited,
    ...(row.role_id === Role.customerService && !row.is_funded ? { shares_wallet: true as const } : {}),
    limit_of_credit: unlimited ? '-1' : formatPoints(-(row.main_floor ?? 0n)),
    used_credit: formatPoints(-row.main_balance),
    created_at: row.created_at,
    last_seen_at: row.last_seen_at,
  }
}

/** Customer service uses the domain of its group's head. Members have no share link. */
const shareDomain = sql`case when a.role_id = ${is.member} then '' else (select g.domain from accounts g where g.id = a.group_id) end`

type OwnFields = Omit<z.output<typeof OwnView>, keyof z.output<typeof AccountRow> | 'agent_login' | 'start_page'>

/** An account as it sees itself, or as `viewer` sees it. */
export const ownView = async (
  db: Db,
  condition: Sql,
  viewer = unmasked,
): Promise<Omit<z.output<typeof OwnView>, 'agent_login'> | undefined> => {
  const row = await one<AccountColumns & OwnFields>(
    db,
    sql`select ${accountColumns}, a.id as member_id, a.share_code, ${shareDomain} as domain, a.customized_has_qrcode_show,
        a.customized_cs_qrcode_pic_url,
        a.deduct_point_button_visible, a.red_envelope_button_visible, a.send_red_envelope_button_visible,
        a.receive_red_envelope_button_visible, a.gift_red_envelope_button_visible, a.point_button_visible,
        a.cs_flow_limit_button_visible, a.chat_ai_bot_visible, a.flow_limit_modify_permission,
        a.transfer_member_flow_limit_multiple, greatest(a.event_mode, (select g.event_mode from accounts g where g.id = a.group_id)) as "EventMode", a.transaction_all,
        a.payment_password_hash is not null as has_payment_password, ${isSandbox(sql`a.top_id`)} as is_sandbox
      from ${accountTables} where ${condition}`,
  )
  if (!row) return undefined
  const { thumbnail_id: _t, main_balance: _b, main_floor: _f, game_balance: _g, ...rest } = row
  const shown = asAccountRow(row, viewer)
  return { ...rest, ...shown, member_username: shown.username, start_page: startPages[row.role_id] }
}
