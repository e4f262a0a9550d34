import { z } from 'zod'
import {
  EnvelopeType,
  FlowStatus,
  MessageType,
  Role,
  RoomStatus,
  RoomType,
  TemplateType,
  TransferKind,
  TransferStatus,
  WalletKind,
} from './codes.ts'
import { officeKinds } from './transfer-kinds.ts'

/** A field that holds a number of a table of codes.ts. */
const oneOf = <T extends Record<string, number>>(codes: T) => z.literal(Object.values(codes) as T[keyof T][])

const { game: _, ...people } = Role
export const RoleCode = oneOf(people)
/** Also the internal game account. */
export const AnyRoleCode = oneOf(Role)
export const RoomStatusCode = oneOf(RoomStatus)
/** The statuses of rooms that people answer. */
export const PeopleStatusCode = z.literal([RoomStatus.shown, RoomStatus.hidden])
export const RoomTypeCode = oneOf(RoomType)
export const MessageTypeCode = oneOf(MessageType)
export const TransferKindCode = oneOf(TransferKind)
/** The kinds that office accounts start. */
export const OfficeKindCode = z.literal(officeKinds)
export const TransferStatusCode = oneOf(TransferStatus)
export const EnvelopeTypeCode = oneOf(EnvelopeType)
export const WalletCode = oneOf(WalletKind)
/** The wallets that a transfer names. */
export const OpenWalletCode = z.literal([WalletKind.main, WalletKind.game])
export const FlowStatusCode = oneOf(FlowStatus)
export const TemplateTypeCode = oneOf(TemplateType)
