import type { CashDirection } from './cash.ts'
import { EnvelopeType, MessageType, TransferKind, type TransferMessageType } from './codes.ts'

/** A whole transaction id, or the number of a transfer. */
export const TRANSFER_ID = /^(\d{1,18}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i

/** The rules of each kind of transfer. No Zod here: pages for cheap phones import this file. */
export type KindFacts = {
  /** From the target's side. `own`: between two wallets of the target. `reverse`: against the corrected transfer. */
  direction: 'give' | 'take' | 'own' | 'reverse'
  /** Who may start it: the office from a room or a list, the member, the platform by its API, an admin. */
  startedBy: readonly ('room' | 'list' | 'member' | 'platform' | 'admin')[]
  /**
   * The target's wallet: `chosen` by the office, `played` is the one the member plays from, `same` as in the corrected
   * transfer.
   */
  targetWallet: 'main' | 'game' | 'chosen' | 'played' | 'same'
  /**
   * The room message of a transfer that is done, and of one that waits for the member's consent: only kinds with `pending`
   * wait. `word`: its label, where that is the same for both sides and every status.
   */
  message?: { done: TransferMessageType; pending?: TransferMessageType; word?: `points.kind_${string}` }
  /** The remark must say why. */
  needsRemark: boolean
  /** Its turnover counts as that of a bonus, not of a deposit. */
  isBonus: boolean
  /** Counts in reports and day totals. A correction counts like the corrected transfer. */
  isReported: boolean
  isCorrectable: boolean
  /**
   * The effect of its turnover amount: adds to what the member must bet, counts as bet, cancels what is left, or makes open
   * again what a bet has filled.
   */
  turnover: 'opens' | 'fills' | 'lifts' | 'reopens' | 'none'
  /** The key of its name in lists and exports. */
  word: `transfer.kind_${string}`
}

const plain = { needsRemark: false, isBonus: false } as const
const office = { ...plain, startedBy: ['room'], isReported: true, isCorrectable: true } as const
const listed = { ...office, startedBy: ['room', 'list'] } as const
const played = {
  ...plain,
  startedBy: ['platform'],
  targetWallet: 'played',
  isReported: false,
  isCorrectable: false,
} as const

export const transferKinds = {
  [TransferKind.send]: {
    ...listed,
    direction: 'give',
    targetWallet: 'chosen',
    message: { done: MessageType.pointsIn, pending: MessageType.envelope },
    turnover: 'opens',
    word: 'transfer.kind_in',
  },
  [TransferKind.receive]: {
    ...listed,
    direction: 'take',
    targetWallet: 'main',
    message: { done: MessageType.pointsOut, pending: MessageType.pointsOut },
    turnover: 'none',
    word: 'transfer.kind_out',
  },
  [TransferKind.gift]: {
    ...office,
    direction: 'give',
    targetWallet: 'chosen',
    isBonus: true,
    message: { done: MessageType.gift, word: 'points.kind_gift' },
    turnover: 'opens',
    word: 'transfer.kind_gift',
  },
  [TransferKind.makeUp]: {
    ...office,
    direction: 'give',
    targetWallet: 'main',
    isBonus: true,
    needsRemark: true,
    message: { done: MessageType.makeUp, word: 'points.kind_make_up' },
    turnover: 'opens',
    word: 'transfer.kind_make_up',
  },
  [TransferKind.gameSend]: {
    ...listed,
    direction: 'give',
    targetWallet: 'game',
    message: { done: MessageType.gameIn, word: 'points.kind_game_in' },
    turnover: 'opens',
    word: 'transfer.kind_game_in',
  },
  [TransferKind.gameDeduct]: {
    ...listed,
    direction: 'take',
    targetWallet: 'game',
    message: { done: MessageType.gameDeduct, word: 'points.kind_game_out' },
    turnover: 'none',
    word: 'transfer.kind_game_out',
  },
  [TransferKind.toGame]: {
    ...plain,
    direction: 'own',
    startedBy: ['member'],
    targetWallet: 'game',
    isReported: false,
    isCorrectable: true,
    turnover: 'opens',
    word: 'transfer.kind_to_game',
  },
  [TransferKind.bet]: { ...played, direction: 'take', turnover: 'fills', word: 'transfer.kind_bet' },
  [TransferKind.win]: { ...played, direction: 'give', turnover: 'none', word: 'transfer.kind_win' },
  [TransferKind.betVoid]: { ...played, direction: 'give', turnover: 'reopens', word: 'transfer.kind_bet_void' },
  [TransferKind.correction]: {
    ...plain,
    direction: 'reverse',
    startedBy: ['admin'],
    targetWallet: 'same',
    isReported: true,
    isCorrectable: false,
    turnover: 'lifts',
    word: 'transfer.kind_correction',
  },
} as const satisfies Record<TransferKind, KindFacts>

type Table = typeof transferKinds
/** The kinds that office accounts start. */
export type OfficeKind = {
  [K in TransferKind]: 'room' extends Table[K]['startedBy'][number] ? K : never
}[TransferKind]

const startedFrom = (from: 'room' | 'list') =>
  Object.entries<KindFacts>(transferKinds).flatMap(([kind, { startedBy }]) =>
    startedBy.includes(from) ? [Number(kind) as OfficeKind] : [],
  )
export const officeKinds = startedFrom('room')
/** The kinds that the lists of accounts start too, for accounts of every role. */
export const listKinds = startedFrom('list')

/** Takes points from the target. A correction does the opposite of what it corrects. */
export const isTaking = (kind: TransferKind): boolean => transferKinds[kind].direction === 'take'

/** Undefined for a number that this version does not have. */
export const factsOfKind = (kind: number): Table[TransferKind] | undefined =>
  Object.hasOwn(transferKinds, kind) ? transferKinds[kind as TransferKind] : undefined

/**
 * CONV-15: every surface shows points as the member sees them. What comes to the member is green and has a plus, what
 * goes from it amber and a minus. `word` is its name on every surface, `short` the same in a column.
 */
export const views = {
  to: { sign: '+', tone: 'in', word: 'cash.in', short: 'history.in' },
  from: { sign: '−', tone: 'out', word: 'cash.out', short: 'history.out' },
} as const
export type View = (typeof views)[keyof typeof views]

/** Undefined between the member's own wallets. `corrects`: of a correction, the kind that it reverses. */
export const viewOfKind = (kind: number, corrects: number | null = null): View | undefined => {
  const direction = factsOfKind(corrects ?? kind)?.direction
  if (direction !== 'give' && direction !== 'take') return undefined
  return (direction === 'give') === (corrects === null) ? views.to : views.from
}

/** Points of a member's request, in and out: from the member's side, like all points. */
const viewOfCash = { in: views.to, out: views.from } as const satisfies Record<CashDirection, View>

type PointsMessage = { type: number; transaction_type: number | null; cash?: { direction: CashDirection } | undefined }

/** The same of a room message that carries points; an envelope gives, or asks the member. */
export const viewOfMessage = ({ type, transaction_type, cash }: PointsMessage): View => {
  if (cash) return viewOfCash[cash.direction]
  const asks = type === MessageType.envelope && transaction_type === EnvelopeType.ask
  return asks || factsOfMessage(type)?.direction === 'take' ? views.from : views.to
}

/** The type of its room message. */
export const messageTypeOf = (kind: TransferKind, waitsForMember: boolean): TransferMessageType => {
  const { message }: KindFacts = transferKinds[kind]
  if (!message) throw new Error(`transfers of kind ${kind} have no room message`)
  return waitsForMember ? (message.pending ?? message.done) : message.done
}

/** In a room it waits for the member's consent, where that is asked for. */
export const mayWait = (kind: OfficeKind): boolean => {
  const { message }: KindFacts = transferKinds[kind]
  return message?.pending !== undefined
}

/** The kind whose room message this is; undefined for texts, images and event lines. */
export const factsOfMessage = (type: number) =>
  officeKinds
    .map((kind) => transferKinds[kind])
    .find(({ message }) => type === message.done || type === pendingOf(message))

const pendingOf = (message: NonNullable<KindFacts['message']>) => message.pending
