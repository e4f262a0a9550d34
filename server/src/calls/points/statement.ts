import type { Answer, Parsed } from '@tallyroom/contract'
import type { statementCalls } from '@tallyroom/contract/calls/points/statement'
import { formatPoints } from '@tallyroom/contract/points'
import type { Db, Tx } from '../../data/sql.ts'
import { heldAtEnd } from '../../ledger/read/statement-held.ts'
import { type StatementLine, statementLines } from '../../ledger/read/statement-lines.ts'
import { type Statement, statementHead, statementOf, statementSums } from '../../ledger/read/statement.ts'
import { newestSeal } from '../../ledger/seal/statement-seal.ts'
import type { Handlers, ReadCtx } from '../handler.ts'
import { inOneSnapshot } from './statement/snapshot.ts'
import { sealFile, statementFile } from './statement/export.ts'

/** The most held amounts of an answer. */
const MAX_HELD = 500

export const statementHandlers = {
  'statement/view': async (ctx, input) => {
    const statement = await found(ctx, input)
    return inOneSnapshot(ctx, (tx) => statementView(tx, statement))
  },

  'statement/lines': async (ctx, { per_page, after, ...input }) =>
    statementPage(ctx.db, await found(ctx, input), { limit: per_page, after }),

  'statement/export': async (ctx, input) => statementFile(ctx, await found(ctx, input), input),

  'statement/seal': async (ctx, input) => sealFile(ctx, await found(ctx, input), input),
} satisfies Handlers<typeof statementCalls>

const found = ({ db, actor, services }: ReadCtx, input: Parsed<'statement/view'>) =>
  statementOf(db, { actor, timeZone: services.settings.timeZone }, input)

/** The sums of a statement. They agree with each other only in one snapshot. */
export const statementView = async (tx: Tx, statement: Statement): Promise<Answer<'statement/view'>> => {
  const { timeZone } = statement.viewer
  const [head, sums, { held, isCut }, seal] = await Promise.all([
    statementHead(tx, statement),
    statementSums(tx, statement),
    heldAtEnd(tx, statement, MAX_HELD),
    newestSeal(tx, timeZone),
  ])
  return {
    ...head,
    time_zone: timeZone,
    accounts: sums.accounts,
    opening: formatPoints(sums.opening),
    in: formatPoints(sums.in),
    out: formatPoints(sums.out),
    others: formatPoints(sums.others),
    closing: formatPoints(sums.closing),
    held: formatPoints(sums.held),
    lines: sums.lines,
    held_lines: held.map((row) => ({ ...row, amount: formatPoints(row.amount) })),
    held_cut: isCut,
    seal: seal
      ? { block: Number(seal.block), at: seal.at, head: seal.head.toString('hex'), waiting: sums.waiting }
      : null,
  }
}

/** A page of movements, oldest first. */
export const statementPage = async (
  db: Db,
  statement: Statement,
  page: { limit: number; after: string | undefined },
): Promise<Answer<'statement/lines'>> => {
  const { lines, next } = await statementLines(db, statement, page)
  return { data: lines.map(asLine), next }
}

const asLine = ({ walletId, seq, at, transaction_id, type, corrects_type, wallet, ...line }: StatementLine) => ({
  id: `${walletId}-${seq}`,
  at,
  transaction_id,
  type,
  corrects_type,
  account: line.account,
  wallet,
  other: line.other,
  by: line.by,
  remark: line.remark,
  amount: formatPoints(line.amount),
  balance: line.balance === null ? null : formatPoints(line.balance),
})
