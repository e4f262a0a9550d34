import { RoomType } from '@tallyroom/contract/codes'
import type { Contact } from '@tallyroom/contract/calls/conversation/contact'
import { Link, type LinkOptions } from '@tanstack/react-router'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../i18n/i18n.ts'

/** The address of the chat with a contact. Room 0: the room does not exist yet. */
export const chatPathOf = ({
  room_id,
  member_id,
  friend_id,
}: Pick<Contact, 'room_id' | 'member_id' | 'friend_id'>) => ({
  to: '/chat/messaging/$room_id/$member_id/friend/$friend_id' as const,
  params: { room_id: String(room_id ?? 0), member_id: String(member_id), friend_id: String(friend_id) },
})

/** The chat of any contact: the upline's customer service has a page of its own. */
export const chatLinkOf = (contact: Contact): LinkOptions =>
  contact.type === RoomType.upline ? { to: '/customer_service_chat' } : chatPathOf(contact)

export const ChatLink = ({ contact }: { contact: Contact }) => {
  const { t } = useWords()
  return (
    <Link {...chatLinkOf(contact)} className="button button-main">
      <Icon name="chat" />
      {t('contact.talk')}
    </Link>
  )
}
