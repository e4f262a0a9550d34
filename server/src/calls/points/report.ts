import type { reportCalls } from '@tallyroom/contract/calls/points/report'
import { formatPoints } from '@tallyroom/contract/points'
import { besideTransaction, one, sql } from '../../data/sql.ts'
import type { Handlers } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { historyRow } from '../../ledger/read/history.ts'
import { bankReferenceOf, correctionsOf, editsOf, postingsOf, roomOf } from '../../ledger/read/receipt.ts'
import { checkAndStore, isTop, lastCheck, reconcile } from '../../ledger/read/reconciliation.ts'
import { exportHandlers } from './report/export.ts'
import { asLinkedRow } from '../../ledger/read/transfer-row.ts'
import { sr02Answer } from './report/sr02.ts'

export const reportHandlers = {
  ...exportHandlers,

  /** Points that funding accounts of the downline gave to (in) and took from (out) members, by day of settlement. */
  'report/sr02': ({ db, actor, services }, input) =>
    sr02Answer(db, { actor, timeZone: services.settings.timeZone }, input),

  'transaction/view': async ({ db, services, actor }, { transaction_id }) => {
    const { timeZone } = services.settings
    const row = ensure(await historyRow(db, { actor, timeZone }, transaction_id), 'transfer.not_found')
    const [corrections, postings, edits, room, reference] = await Promise.all([
      correctionsOf(db, row.id),
      postingsOf(db, actor, timeZone, row.id),
      editsOf(db, actor, timeZone, row.id),
      roomOf(db, actor, row.id),
      bankReferenceOf(db, actor, row.id),
    ])
    return {
      ...asLinkedRow(row),
      postings: postings.map((posting) => ({
        leg: posting.leg,
        at: posting.at,
        username: posting.username,
        role_id: posting.role,
        wallet: posting.wallet,
        amount: formatPoints(posting.amount),
        balance_after: posting.balance === null ? null : formatPoints(posting.balance),
      })),
      // Edits may be of the time after the move, with another upline.
      edits: row.isPast ? [] : edits,
      room: room ?? null,
      corrects: (!row.isPast && corrections?.corrects) || null,
      corrected_by: (!row.isPast && corrections?.corrected_by) || null,
      ...(row.isPast ? {} : reference),
    }
  },

  'report/reconciliation': async ({ db, services, actor }) => {
    const { whole, roles, holders, open } = await reconcile(db, actor)
    const sum = (part: 'held' | 'owed') => roles.reduce((all, row) => all + row[part], 0n)
    return {
      whole,
      held: formatPoints(sum('held')),
      owed: formatPoints(sum('owed')),
      difference: formatPoints(sum('held') + sum('owed')),
      roles: roles.map(({ role, accounts, main, game, escrow }) => ({
        role_id: role,
        accounts,
        main: formatPoints(main),
        game: formatPoints(game),
        escrow: formatPoints(escrow),
      })),
      holders: holders.map(({ id, role, username, nickname, main, game }) => ({
        id,
        role_id: role,
        username,
        nickname,
        main: formatPoints(main),
        game: formatPoints(game),
      })),
      open: { ...open, held: formatPoints(open.held), asked: formatPoints(open.asked) },
      last: whole ? await lastCheck(db, actor, services.settings.timeZone) : null,
    }
  },

  'report/check': async ({ db, services, actor }) => {
    // The findings name wallets and amounts of everyone below the top account.
    if (!isTop(actor)) return refuse('access.denied')
    // One at a time: the check reads the whole database.
    const locked = await one<{ got: boolean }>(
      db,
      sql`select pg_try_advisory_xact_lock(hashtext('ledger_checks')) as got`,
    )
    if (!locked?.got) return refuse('report.check_running')
    await besideTransaction(() => checkAndStore(services.db, actor.id, services.settings.timeZone))
    const last = await lastCheck(db, actor, services.settings.timeZone)
    if (!last) throw new Error('the ledger check was not stored in ledger_checks')
    return last
  },
} satisfies Handlers<typeof reportCalls>
