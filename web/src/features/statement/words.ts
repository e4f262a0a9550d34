import { TransferKind, WalletKind } from '@tallyroom/contract/codes'
import type { WordKey } from '@tallyroom/locales'
import type { Translate } from '../../i18n/i18n.ts'
import { kindWord } from '../../domain/transfer-words.ts'
import type { Line, StatementInput } from './use-statement.ts'
import { nameOf } from '../../ui/person.tsx'

export const walletWords = {
  0: 'statement.wallets',
  1: 'wallet.main',
  2: 'wallet.game',
  3: 'wallet.held',
} as const satisfies Record<0 | WalletKind, WordKey>

export const scopeWords = {
  own: 'statement.scope_own',
  direct: 'statement.scope_direct',
  branch: 'statement.scope_branch',
} as const satisfies Record<NonNullable<StatementInput['scope']>, WordKey>

/** The other side of a line, or "Held back"; for bets and wins nothing but the kind. Its column says in or out. */
export const lineText = (t: Translate, { amount, other, wallet, account }: Line): string => {
  const isOut = amount.startsWith('-')
  const isOwn = other.username === account.username
  if (isOwn && other.wallet === WalletKind.escrow) return t(isOut ? 'statement.hold' : 'statement.release')
  if (isOwn && wallet === WalletKind.escrow) return t(isOut ? 'statement.release' : 'statement.hold')
  if (isOwn) return t(walletWords[other.wallet])
  return nameOf(other)
}

export const lineKind = (t: Translate, { type }: Line) => t(kindWord(type))

/**
 * The kind beside the text of a line. A plain transfer has none: its name is said from the member's side ("Transfer out"),
 * and would contradict the column of an agent's line, which is "In".
 */
export const kindBeside = (t: Translate, line: Line) => {
  const isPlain = line.type === TransferKind.send || line.type === TransferKind.receive
  return isPlain && lineText(t, line) !== '' ? '' : lineKind(t, line)
}

/** "–" stands for both days of a period of one day. */
export const periodText = ({ start_date, end_date }: Pick<StatementInput, 'start_date' | 'end_date'>) =>
  start_date === end_date ? start_date : `${start_date} – ${end_date}`

/** In groups of four digits, as people compare it. */
export const headText = (head: string) => head.replace(/.{4}(?=.)/g, '$& ')

/** gina01-2026-11-16-2026-11-22: names the paper and the file. */
export const numberText = (username: string, { start_date, end_date }: StatementInput) =>
  `${username}-${start_date}-${end_date}`
