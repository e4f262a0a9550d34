import type { Parsed } from '@tallyroom/contract'
import { WalletKind } from '@tallyroom/contract/codes'
import { formatPoints } from '@tallyroom/contract/points'
import { factsOfKind } from '@tallyroom/contract/transfer-kinds'
import type { WordKey } from '@tallyroom/locales'
import { exportMustWait, noFile } from '../../../accounts/sensitive-changes.ts'
import { audit } from '../../../identity/audit.ts'
import { MAX_ROWS } from '../../../ledger/read/history.ts'
import { heldAtEnd } from '../../../ledger/read/statement-held.ts'
import { type StatementLine, statementLines } from '../../../ledger/read/statement-lines.ts'
import { type Statement, statementHead, type StatementHead, statementSums } from '../../../ledger/read/statement.ts'
import { sealFileOf } from '../../../ledger/seal/statement-seal.ts'
import { type Cell, csvOf } from '../../../lib/csv.ts'
import { wordsFor } from '../../../lib/words.ts'
import type { ReadCtx } from '../../handler.ts'
import { inOneSnapshot } from './snapshot.ts'

/** One row of the file; what is missing is empty. */
type Row = Partial<
  Record<'at' | 'number' | 'account' | 'wallet' | 'what' | 'other' | 'by' | 'remark' | 'in' | 'out' | 'balance', string>
>
const walletWords = { 1: 'wallet.main', 2: 'wallet.game', 3: 'wallet.held' } as const satisfies Record<
  WalletKind,
  WordKey
>

/** Opening, movements, closing and what is held. Audited before it is returned. */
export const statementFile = async (ctx: ReadCtx, statement: Statement, input: Parsed<'statement/export'>) => {
  const { caller } = ctx
  const word = (key: WordKey) => wordsFor(caller.language, key)
  const [head, sums, { lines, next }, { held }] = await inOneSnapshot(ctx, (tx) =>
    Promise.all([
      statementHead(tx, statement),
      statementSums(tx, statement),
      statementLines(tx, statement, { limit: MAX_ROWS }),
      heldAtEnd(tx, statement, MAX_ROWS),
    ]),
  )
  const rows: Row[] = [
    { at: input.start_date, what: word('statement.opening'), balance: formatPoints(sums.opening) },
    ...lines.map((line) => rowOf(line, word)),
    ...(statement.byId === undefined ? [] : [{ what: word('statement.others'), in: formatPoints(sums.others) }]),
    {
      at: input.end_date,
      what: word('statement.closing'),
      in: formatPoints(sums.in),
      out: formatPoints(sums.out),
      balance: formatPoints(sums.closing),
    },
    ...held.map((one) => ({
      at: one.at,
      number: one.transaction_id,
      account: one.account.username,
      wallet: word(walletWords[WalletKind.escrow]),
      what: word(`statement.held_${one.reason}`),
      other: one.member.username,
      remark: one.remark,
      balance: formatPoints(one.amount),
    })),
  ]
  const asked = { call: 'statement/export', filter: input, what: 'statement', rows: lines.length }
  if (await exportMustWait(ctx, { ...asked, about: statement.subject.id })) return noFile
  return {
    name: `${nameOf(head, input)}.csv`,
    csv: csvOf(rows.map((row) => cellsOf(row, word))),
    cut: next !== null,
  }
}

const nameOf = ({ account }: StatementHead, { start_date, end_date }: Parsed<'statement/seal'>) =>
  `statement-${account.username}-${start_date}-${end_date}`

/** Beside the CSV file, and about the same movements. It names nobody, so it needs no approval. Audited. */
export const sealFile = async (ctx: ReadCtx, statement: Statement, input: Parsed<'statement/seal'>) => {
  const { timeZone } = statement.viewer
  const [head, sums, seal] = await inOneSnapshot(ctx, (tx) =>
    Promise.all([statementHead(tx, statement), statementSums(tx, statement), sealFileOf(tx, statement)]),
  )
  const { subject, viewer } = statement
  await audit(
    ctx.db,
    ctx,
    'exported',
    { id: subject.id, topId: viewer.actor.topId },
    { what: 'seal', rows: sums.lines },
  )
  const { start_date, end_date, scope, wallet, by } = input
  const shown = {
    account: head.account.username,
    drawn_up: head.drawn_up,
    time_zone: timeZone,
    start_date,
    end_date,
    scope,
    wallet,
    by,
    opening: formatPoints(sums.opening),
    in: formatPoints(sums.in),
    out: formatPoints(sums.out),
    closing: formatPoints(sums.closing),
  }
  return { name: `${nameOf(head, input)}.seal.json`, seal: JSON.stringify({ ...seal, statement: shown }) }
}

const rowOf = (line: StatementLine, word: (key: WordKey) => string): Row => ({
  at: line.at,
  number: line.transaction_id,
  account: line.account.username,
  wallet: word(walletWords[line.wallet]),
  what: word(factsOfKind(line.type)?.word ?? 'transfer.kind_other'),
  other: line.other.wallet === WalletKind.escrow ? word('wallet.held') : line.other.username,
  by: line.by,
  remark: line.remark,
  ...(line.amount > 0n ? { in: formatPoints(line.amount) } : { out: formatPoints(-line.amount) }),
  balance: line.balance === null ? '' : formatPoints(line.balance),
})

/** Columns of times and amounts. */
const READ: ReadonlySet<keyof Row> = new Set(['at', 'in', 'out', 'balance'])

const cellsOf = (row: Row, word: (key: WordKey) => string) =>
  (
    [
      ['history.created_at', 'at'],
      ['history.transaction_id', 'number'],
      ['account.username', 'account'],
      ['statement.wallet', 'wallet'],
      ['history.type', 'what'],
      ['statement.other', 'other'],
      ['statement.by', 'by'],
      ['transfer.remark', 'remark'],
      ['statement.in', 'in'],
      ['statement.out', 'out'],
      ['history.balance', 'balance'],
    ] as const
  ).map(
    ([key, field]): Cell => (READ.has(field) ? [word(key), row[field] ?? '', 'read'] : [word(key), row[field] ?? '']),
  )
