import type { Answer } from '@tallyroom/contract'
import type { accountCalls } from '@tallyroom/contract/calls/accounts/account'
import { Role } from '@tallyroom/contract/codes'
import { formatPoints } from '@tallyroom/contract/points'
import { listKinds, officeKinds } from '@tallyroom/contract/transfer-kinds'
import { type AccountColumns, accountColumns, accountTables, namesOf } from '../../../accounts/accounts.ts'
import { mediaUrl } from '../../../chat/media-url.ts'
import { type Db, many, one, sql } from '../../../data/sql.ts'
import { type Actor, idsOfPath, visibleAccounts } from '../../../identity/actor.ts'
import { partyColumns, partyOf, type PartyRow } from '../../../ledger/engine/load/load.ts'
import { limitColumns, type LimitRow, type LimitSum, readLimits } from '../../../ledger/engine/load/limits.ts'
import { leftOf, type Limit, limitsAlong } from '../../../ledger/rules/rules-limits.ts'
import { previewOffers } from '../../../ledger/rules/preview.ts'
import type { Caps } from '../../../ledger/rules/rules.ts'
import { mayDecideTransfer } from '../../../identity/approvers.ts'
import { type Named, shownText, shownUsername } from '../../../identity/masking.ts'
import { may, mayMovePoints } from '../../../identity/policy.ts'
import { ensure } from '../../../lib/refusal.ts'
import type { Handlers } from '../../handler.ts'
import { asPayer, type PayerRow, payerColumns } from './payer.ts'
import { is } from '../../../domain/is.ts'

/** How many of a member's last transfers are read for "last time": a fixed price, however long the history is. */
const LAST = 20

export const memberViewHandlers = {
  'member/view': async ({ db, services, actor }, { member_id, from }) => {
    const { timeZone, envelopeHours, caps } = services.settings
    const holderIds = idsOfPath(actor.path)
    const isWanted = from === 'room' ? sql`a.role_id = ${is.member}` : sql`true`
    const row = ensure(
      await one<MemberRow>(
        db,
        sql`select ${accountColumns}, greatest(a.event_mode, g.event_mode) as event_mode, a.transaction_all,
            -- Must match needsConsent in ../../ledger/rules/rules.ts.
            greatest(a.withdraw_confirm, f.withdraw_confirm) as consent_needed, m.flow_due,
            ${payerColumns},
            coalesce((select balance from wallets where account_id = f.id and kind = ${is.escrow}), 0) as payer_held,
            exists (select from envelopes where status = ${is.pending} and type = ${is.asking} and target_id = a.id) as is_asked,
            coalesce((select total_in from day_totals where account_id = f.id
              and day = (statement_timestamp() at time zone ${timeZone}::text)::date), 0) as given_today,
            (select json_agg(${partyColumns}) from accounts a join accounts g on g.id = a.group_id
              where a.id in (${actor.id}, ${actor.funderId}, ${member_id})) as parties,
            (select json_object_agg(op, amount::text) from (select distinct on (op) op, amount
              from (select op, amount, created_at, id from transfers where target_id = a.id
                order by created_at desc, id desc limit ${LAST}) newest
              order by op, created_at desc, id desc) last) as last_amounts,
            ${limitColumns({ holderIds, targetIds: [member_id] }, timeZone, sql``)}
          from ${accountTables} join accounts g on g.id = a.group_id
            join accounts f on f.id = ${actor.funderId} join wallets fm on fm.account_id = f.id and fm.kind = ${is.mainWallet}
          where a.id = ${member_id} and ${isWanted} and ${visibleAccounts(actor)}`,
      ),
      'account.not_found',
    )
    const limits = limitsAlong(actor.path, readLimits(row))
    const approvers = await nearestApprovers(db, actor, [...new Set(limits.map(({ accountId }) => accountId))])
    const isListed = from === 'list'
    return {
      ...asMember(row, actor),
      ...(isListed ? ({ consent_needed: 0, event_mode: 0, transaction_all: 0 } as const) : {}),
      answer_hours: envelopeHours,
      offers: offersOf(row, actor, isListed, caps, { limits, approvers }),
    }
  },
} satisfies Pick<Handlers<typeof accountCalls>, 'member/view'>

type MemberRow = AccountColumns &
  PayerRow & {
    event_mode: 0 | 1
    transaction_all: 0 | 1
    consent_needed: 0 | 1
    flow_due: bigint
    /** The points that open envelopes of the payer hold. */
    payer_held: bigint
    is_asked: boolean
    given_today: bigint
    parties: PartyRow[]
    last_amounts: Record<string, string> | null
    limits: LimitRow[]
    limitSums: LimitSum[]
  }
type MemberView = Answer<'member/view'>

const asMember = (row: MemberRow, actor: Actor): Omit<MemberView, 'offers' | 'answer_hours'> => {
  return {
    member_id: row.id,
    role_id: row.role_id,
    ...namesOf(row, actor),
    thumbnail: mediaUrl(row.thumbnail_id),
    status: row.status,
    balance: formatPoints(row.main_balance),
    limit_of_credit: formatPoints(-(row.main_floor ?? 0n)),
    unlimited: row.main_floor === null,
    game_wallet: formatPoints(row.game_balance),
    is_multiple_wallet: row.is_multiple_wallet,
    withdraw_confirm: row.withdraw_confirm,
    consent_needed: row.consent_needed,
    event_mode: row.event_mode,
    transaction_all: row.transaction_all,
    turnover_due: actor.role === Role.member || actor.seesFlowLimits ? formatPoints(row.flow_due) : null,
    payer: asPayer(row, actor),
  }
}

/** The transfers that the actor may start with this account, by the rules that the ledger applies. */
const offersOf = (
  row: MemberRow,
  actor: Actor,
  isListed: boolean,
  caps: Caps,
  { limits, approvers }: { limits: Limit[]; approvers: Map<number, string> },
): MemberView['offers'] => {
  if (!isListed && !may(actor, 'transaction/add')) return []
  const kinds = isListed ? listKinds.filter((kind) => mayMovePoints(actor, row.role_id, kind)) : officeKinds
  const parties = row.parties.map(partyOf)
  const partyWith = (id: number) =>
    ensure(
      parties.find((party) => party.id === id),
      'account.not_found',
    )
  const wallet = (balance: bigint, floor: bigint | null = 0n, turnoverDue = 0n) => ({ balance, floor, turnoverDue })
  const offers = previewOffers(kinds, !isListed, {
    actor: partyWith(actor.id),
    funder: partyWith(actor.funderId),
    target: partyWith(row.id),
    targetId: row.id,
    isWrongRoom: false,
    isAsked: row.is_asked,
    mayMove: true,
    wallets: {
      funder: { main: wallet(row.payer_balance, row.payer_floor), escrow: wallet(row.payer_held) },
      target: { main: wallet(row.main_balance, row.main_floor, row.flow_due), game: wallet(row.game_balance) },
    },
    caps,
    givenToday: row.given_today,
  })
  return offers.map(({ transferKind, refused, most }) => ({
    type: transferKind,
    refused: refused ?? null,
    most: most === undefined ? null : formatPoints(most),
    last: lastOf(row, transferKind),
    ...limitOf(
      limits.filter((limit) => limit.transferKind === transferKind),
      row.id,
      approvers,
    ),
  }))
}

const limitOf = (
  limits: Limit[],
  memberId: number,
  approvers: Map<number, string>,
): Pick<MemberView['offers'][number], 'limit'> => {
  const found = leftOf(limits, memberId)
  if (!found) return {}
  // An approver above the highest limit may approve above each.
  const approver = approvers.get(limits[0]?.accountId ?? 0) ?? ''
  return { limit: { left: formatPoints(found.left), over: found.part, most: formatPoints(found.most), approver } }
}

/** Maps the holder of a limit to the name of the account nearest to the actor that may decide above it. */
const nearestApprovers = async (db: Db, actor: Actor, holderIds: number[]): Promise<Map<number, string>> => {
  if (holderIds.length === 0) return new Map()
  const rows = await many<Named & { holderId: number; nickname: string }>(
    db,
    sql`select h.id as "holderId", n.id, n.username, n.nickname, n.is_sub as "isSub"
      from accounts h cross join lateral (select u.* from accounts u, accounts a where a.id = ${actor.id}
          and (u.id = any(${idsOfPath(actor.path)}::int[]) or (u.role_id = ${Role.customerService} and u.group_id = a.group_id))
          and ${mayDecideTransfer(sql`u.id`)} order by length(u.path) desc, u.id limit 1) n
      where h.id = any(${holderIds}::int[])`,
  )
  return new Map(rows.map((row) => [row.holderId, shownText(actor, row, row.nickname) || shownUsername(actor, row)]))
}

const lastOf = (row: MemberRow, transferKind: number) => {
  const last = row.last_amounts?.[transferKind]
  return last === undefined ? null : formatPoints(BigInt(last))
}
