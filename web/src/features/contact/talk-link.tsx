import type { Contact } from '@tallyroom/contract/calls/contact'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words.ts'

/** The way to the talk with a contact; 0 stands for a room that nobody has entered yet. */
export const talkWith = ({ room_id, member_id, friend_id }: Pick<Contact, 'room_id' | 'member_id' | 'friend_id'>) => ({
  to: '/chat/messaging/$room_id/$member_id/friend/$friend_id' as const,
  params: { room_id: String(room_id ?? 0), member_id: String(member_id), friend_id: String(friend_id) },
})

/** CONT-04. The upline's customer service has a page of its own. */
export const TalkLink = ({ contact }: { contact: Contact }) => {
  const { t } = useWords()
  const words = (
    <>
      <Icon name="chat" />
      {t('contact.talk')}
    </>
  )
  return contact.type === 2 ? (
    <Link to="/customer_service_chat" className="button button-main">
      {words}
    </Link>
  ) : (
    <Link {...talkWith(contact)} className="button button-main">
      {words}
    </Link>
  )
}
