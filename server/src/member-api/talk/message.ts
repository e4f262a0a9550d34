import type { MemberApi } from '@tallyroom/contract/member-api'
import { isLine, MessageType } from '@tallyroom/contract/codes'
import type { z } from 'zod'
import type { MessageRow, RoomRow } from '../../chat/room-row.ts'
import { asMessage } from '../../chat/room-views.ts'
import { unmasked } from '../../identity/masking.ts'
import type { Services } from '../../services.ts'
import { sealedAddress } from '../sealed-media.ts'

type ApiMessage = z.output<MemberApi['message/list']['response']>['data'][number]

const kinds: Record<MessageType, ApiMessage['kind']> = {
  [MessageType.text]: 'text',
  [MessageType.image]: 'image',
  [MessageType.voice]: 'voice',
  [MessageType.file]: 'file',
  [MessageType.pointsIn]: 'points',
  [MessageType.pointsOut]: 'points',
  [MessageType.envelope]: 'points',
  [MessageType.gift]: 'points',
  [MessageType.makeUp]: 'points',
  [MessageType.gameIn]: 'points',
  [MessageType.gameDeduct]: 'points',
  [MessageType.cash]: 'request',
  [MessageType.notice]: 'notice',
  [MessageType.event]: 'line',
}
const isMedia = (kind: ApiMessage['kind']) => kind === 'image' || kind === 'voice' || kind === 'file'

const writerOf = ({ senderId, senderIsKey, fromPartner, type }: MessageRow): ApiMessage['by'] => {
  if (fromPartner) return 'member'
  if (type === MessageType.event || senderId === null) return isLine(type) ? 'server' : 'bot'
  return senderIsKey ? 'platform' : 'office'
}

/** A message as the office sees it, for a platform, whose names are never masked. */
export const asApiMessage = (
  message: MessageRow,
  room: RoomRow,
  services: Pick<Services, 'key' | 'settings'>,
): ApiMessage => {
  const shown = asMessage(message, room, { side: 'group', viewer: unmasked })
  const kind = kinds[message.type]
  const isGone = message.isTakenBack === true || shown.content === ''
  return {
    seq: shown.seq,
    message_id: shown.message_id,
    at: shown.created_at,
    kind,
    by: writerOf(message),
    operator: message.fromPartner || message.senderId === null ? null : message.senderUsername,
    text: isMedia(kind) || isGone ? null : shown.content,
    url: isMedia(kind) && !isGone ? sealedAddress(services, shown.content) : null,
    file_name: (!isGone && shown.file?.name) || null,
    quote: shown.quote?.message_id ?? null,
    taken_back: message.isTakenBack === true,
    transaction_id: shown.transaction_id,
    cash_id: shown.cash?.id ?? null,
  }
}
