import type { Translate } from '../../../i18n/i18n.ts'
import { ownId } from './filter.ts'
import type { RoomSummary } from '@tallyroom/contract/events'

/** Label that names the owner of a room. */
export const ownerTitle = (room: RoomSummary, t: Translate) => {
  if (room.owner_id === null) return t('desk.free')
  return room.owner_id === ownId() ? t('desk.yours') : t('desk.held', { name: room.owner_name })
}
