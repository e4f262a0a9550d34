import type { Answer } from '@tallyroom/contract'
import type { cashCalls } from '@tallyroom/contract/calls/points/cash'
import { LEASE_SECONDS } from '@tallyroom/contract/cash'
import { formatPoints } from '@tallyroom/contract/points'
import { mediaIdOf } from '../../chat/media-url.ts'
import { bankSettings, type BankSettings, maskedNumber } from '../../accounts/bank.ts'
import { currentOffer, offerOf } from '../../accounts/payment-offers.ts'
import { one, many, sql, type Db } from '../../data/sql.ts'
import { type Actor, groupRooms } from '../../identity/actor.ts'
import { takesCashRequests } from '../../ledger/engine/load/cash.ts'
import { confirmPoints } from '../../ledger/engine/confirmation.ts'
import { paidPoints } from '../../ledger/engine/points-of-call.ts'
import { ensure, refuse, Refused } from '../../lib/refusal.ts'
import { cashDay } from './cash/day.ts'
import { cashExport } from './cash/export.ts'
import { cashList } from './cash/list.ts'
import { is } from '../../domain/is.ts'
import { type BatchedCtx, type Handlers, orderSource } from '../handler.ts'

export const cashHandlers = {
  'cash/view': async ({ db, actor }) => {
    const settings = await bankSettings(db, actor)
    const found = ensure(
      await one<ViewRow>(
        db,
        sql`select ${takesCashRequests(sql`${actor.groupId}::int`)} as enabled, w.balance, w.flow_due as due,
            exists (select from receiving_accounts v where v.group_id = ${actor.groupId} and v.status = ${is.offered}) as receiving,
            (select json_build_object('id', c.id, 'state', ${stateForMember}, 'direction', c.direction, 'amount', c.amount::text,
                'askedAt', c.asked_at) from cash_requests c
              where c.member_id = w.account_id and c.state in ('asked', 'taken')) as open,
            (select json_build_object('direction', c.direction, 'account_id', c.account_id) from cash_requests c
              where c.member_id = w.account_id order by c.id desc limit 1) as last
          from wallets w where w.account_id = ${actor.id} and w.kind = ${is.mainWallet}`,
      ),
      'server.failed',
    )
    const accounts = settings.is_third ? await ownAccounts(db, actor) : []
    return {
      enabled: found.enabled ? 1 : 0,
      receiving: found.receiving ? 1 : 0,
      ...(await currentOffer(db, actor)),
      needs_account: settings.is_third,
      balance: formatPoints(found.balance),
      turnover_due: formatPoints(found.due),
      accounts,
      first_account: settings.is_third && accounts.length === 0 ? await firstAccount(db, actor, settings) : null,
      last: found.last,
      open: found.open && asOpen(found.open),
    }
  },

  'cash/ask': {
    batched: async (ctx, { direction, amount, account_id, slip }) => {
      const { db, services, actor, idempotencyKey, caller } = ctx
      if (amount <= 0n) return refuse('transfer.amount_invalid')
      const room = ensure(await ownRoom(db, actor), 'room.not_found')
      const account = account_id === undefined ? undefined : await namedAccount(db, actor, account_id)
      const sender = { actor, network: caller.network }
      const uploadContext = {
        topId: actor.topId,
        roomId: room.id,
        senderId: actor.id,
        requestId: idempotencyKey.id,
        ...sender,
      }
      const image = slip === undefined ? undefined : await services.media.saveRoomImage(db, uploadContext, slip)
      const address = image?.content ?? ''
      const payTo = direction === 'in' ? await offerOf(db, actor, amount) : undefined
      const asked = { direction, amount, room, account, slip: address, payTo }
      try {
        return await services.ledger.askForPoints({ ...orderSource(ctx, 'cash/ask'), ...asked })
      } catch (error) {
        if (image && error instanceof Refused) await dropSlip(ctx, room, image.content)
        throw error
      }
    },
  },

  'cash/withdraw': {
    batched: (ctx, { id }) =>
      ctx.services.ledger.actOnCashRequest({ ...orderSource(ctx, 'cash/withdraw'), cashId: id, move: 'withdraw' }),
  },
  'cash/take': {
    batched: (ctx, { id }) =>
      ctx.services.ledger.actOnCashRequest({ ...orderSource(ctx, 'cash/take'), cashId: id, move: 'take' }),
  },
  'cash/giveBack': {
    batched: (ctx, { id }) =>
      ctx.services.ledger.actOnCashRequest({ ...orderSource(ctx, 'cash/giveBack'), cashId: id, move: 'giveBack' }),
  },
  'cash/refuse': {
    batched: (ctx, { id, reason, reason_code: reasonCode, looked }) =>
      ctx.services.ledger.actOnCashRequest({
        ...orderSource(ctx, 'cash/refuse'),
        cashId: id,
        move: 'refuse',
        reason,
        reasonCode,
        hasLooked: looked === 1,
      }),
  },
  'cash/pay': {
    batched: async (ctx, { id, amount, remark, override_flow_limit, reason, looked, ...given }) => {
      await confirmPoints(ctx, given, () => paidPoints(ctx.db, ctx.actor, id, amount))
      const { bank_reference: bankReference, account_version: accountVersion, audit_amount: auditAmount } = given
      const overridesTurnover = override_flow_limit === 1
      const pay = { amount, remark, bankReference, accountVersion, auditAmount, overridesTurnover, reason }
      return ctx.services.ledger.payCashRequest({
        ...orderSource(ctx, 'cash/pay'),
        cashId: id,
        pay,
        hasLooked: looked === 1,
      })
    },
  },

  'cash/renew': async ({ db, actor }, { id }) => {
    const found = ensure(
      await one<{ isRenewed: boolean }>(
        db,
        sql`with renewed as (update cash_requests c set lease_until = greatest(lease_until, now() + make_interval(secs => ${LEASE_SECONDS}))
            where c.id = ${id} and c.taken_by = ${actor.id} and c.lease_until > now() returning c.id)
          select exists (select from renewed) as "isRenewed" from cash_requests c join rooms r on r.id = c.room_id
          where c.id = ${id} and ${groupRooms(actor)}`,
      ),
      'cash.not_found',
    )
    return found.isRenewed ? { lease: LEASE_SECONDS } : refuse('cash.lease_over')
  },

  'cash/list': ({ db, services, actor }, search) => cashList(db, actor, services.settings.timeZone, search),
  'cash/open': async ({ db, actor }) =>
    ensure(
      await one<Answer<'cash/open'>>(
        db,
        sql`select count(*)::int as open, (count(*) filter (where c.state = 'asked'))::int as asked
          from cash_requests c join rooms r on r.id = c.room_id
          where c.state in ('asked', 'taken') and c.group_id = r.group_id and ${groupRooms(actor)}`,
      ),
      'server.failed',
    ),
  'cash/day': ({ db, services, actor }, days) => cashDay(db, actor, services.settings.timeZone, days),
  'cash/export': (ctx, filter) => cashExport(ctx, filter),
} satisfies Handlers<typeof cashCalls>

/**
 * Deletes the slip of a request that was refused, so that a refusal leaves nothing behind. A repeat stores it again. The
 * id is that of the request, which may have been made or sent as a message with this image.
 */
const dropSlip = ({ db, services, idempotencyKey }: BatchedCtx, room: { id: number }, address: string): Promise<void> =>
  db.transact(async (tx) => {
    const used = await one(
      tx,
      sql`select 1 as is where exists (select from cash_requests where room_id = ${room.id} and slip = ${address})
        or exists (select from messages where room_id = ${room.id} and message_id = ${idempotencyKey.id}::uuid)`,
    )
    if (!used) await services.media.remove(tx, mediaIdOf(address))
  })

/** One that a person has to look at cannot be cancelled: for the member somebody works on it. */
const stateForMember = sql`case when c.maybe_paid_by is null then c.state else 'taken' end`

type Open = NonNullable<Answer<'cash/view'>['open']>
type OpenRow = Pick<Open, 'id' | 'state' | 'direction' | 'amount'> & { askedAt: string }
type ViewRow = Pick<Answer<'cash/view'>, 'last'> & {
  enabled: boolean
  receiving: boolean
  balance: bigint
  due: bigint
  open: OpenRow | null
}

const asOpen = ({ askedAt, amount, ...open }: OpenRow): Open => ({
  ...open,
  amount: formatPoints(BigInt(amount)),
  asked_at: new Date(askedAt).toISOString(),
})

/** The room that a member shares with its own group. */
export const ownRoom = (db: Db, actor: Pick<Actor, 'id' | 'groupId'>) =>
  one<{ id: number; groupId: number }>(
    db,
    sql`select id, group_id as "groupId" from rooms where partner_id = ${actor.id} and group_id = ${actor.groupId}`,
  )

type OwnAccount = { id: number; bank: string; account_no: string; account_name: string }
/** The member's own bank accounts, its first one first. */
export const ownAccounts = async (db: Db, actor: Pick<Actor, 'id'>): Promise<OwnAccount[]> => {
  const rows = await many<OwnAccount>(
    db,
    sql`select a.id, b.name as bank, a.account_no, a.account_name from bank_accounts a join banks b on b.id = a.bank_id
      where a.member_id = ${actor.id} order by a.id`,
  )
  return rows.map((row) => ({ ...row, account_no: maskedNumber(row.account_no) }))
}

/** The form for the first bank account needs the banks, and the name of the code that some countries have. */
const firstAccount = async (db: Db, { topId }: Pick<Actor, 'topId'>, settings: BankSettings) => {
  const banks = await many<{ id: number; name: string }>(
    db,
    sql`select id, name from banks where top_id = ${topId} and status = ${is.offered} order by lower(name)`,
  )
  return banks.length === 0 ? null : { banks, code: settings.enable_bsb_code ? settings.bsb_code_alias || 'BSB' : null }
}

/** The chosen bank account. An unknown one is missing: the batch then refuses a request out. */
const namedAccount = async (db: Db, actor: Pick<Actor, 'id'>, id: number) => {
  const found = (await ownAccounts(db, actor)).find((account) => account.id === id)
  return found ? { id, bank: found.bank, number: found.account_no } : refuse('cash.account_missing')
}
