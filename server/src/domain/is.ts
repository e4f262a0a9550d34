import {
  AccountStatus,
  BankStatus,
  EnvelopeKind,
  MessageType,
  Role,
  RoomStatus,
  TemplateType,
  TransferKind,
  TransferStatus,
  WalletKind,
} from '@tallyroom/contract/codes'
import type { Sql } from '../data/sql.ts'

/** The text of a code in a query. Not a parameter, which would change the query plans. */
const literal = (code: number): Sql => ({ text: `${code}`, values: [] })

/** The codes of the contract for SQL: `a.role_id = ${is.member}`. In texts without the template: `${is.member.text}`. */
export const is = {
  gameAccount: literal(Role.game),
  admin: literal(Role.admin),
  agent: literal(Role.agent),
  customerService: literal(Role.customerService),
  member: literal(Role.member),

  frozen: literal(AccountStatus.frozen),
  active: literal(AccountStatus.active),

  shown: literal(RoomStatus.shown),
  hidden: literal(RoomStatus.hidden),
  withBot: literal(RoomStatus.ai),

  text: literal(MessageType.text),
  image: literal(MessageType.image),
  voice: literal(MessageType.voice),
  file: literal(MessageType.file),
  event: literal(MessageType.event),
  notice: literal(MessageType.notice),

  mainWallet: literal(WalletKind.main),
  gameWallet: literal(WalletKind.game),
  escrow: literal(WalletKind.escrow),

  failed: literal(TransferStatus.failed),
  success: literal(TransferStatus.success),
  rejected: literal(TransferStatus.rejected),
  expired: literal(TransferStatus.expired),
  pending: literal(TransferStatus.pending),

  bet: literal(TransferKind.bet),
  win: literal(TransferKind.win),
  correction: literal(TransferKind.correction),
  betVoid: literal(TransferKind.betVoid),

  giving: literal(EnvelopeKind.giving),
  asking: literal(EnvelopeKind.asking),
  /** Those above it wait for approval. */
  cashHold: literal(EnvelopeKind.cashHold),
  heldGiving: literal(EnvelopeKind.heldGiving),
  heldTaking: literal(EnvelopeKind.heldTaking),
  heldAsking: literal(EnvelopeKind.heldAsking),

  generalTemplate: literal(TemplateType.general),
  agentTemplate: literal(TemplateType.agent),
  serviceTemplate: literal(TemplateType.customerService),

  /** The other banks stay for the accounts that have them. */
  offered: literal(BankStatus.offered),
}
