import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { AccountLink } from '../../domain/account-link.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Person } from '../../ui/person.tsx'
import { SideDrawer } from '../../ui/overlay/side-drawer.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import './cash.css'

type Props = {
  title: string
  found: { error: Error | null; isPending: boolean }
  /** Why there is nothing to show: the entry is gone, or no longer the user's business. */
  missing: string | undefined
  footer: ReactNode
  onClose: () => void
  children: ReactNode
}

type Room = { room_id: number; member_id: number; code: string }

/** The member of the entry, with the way to the conversation. */
export const QueueMember = ({ who, room }: { who: ComponentProps<typeof Person>['who']; room: Room | undefined }) => {
  const { t } = useWords()
  return (
    <div className="request-who">
      <AccountLink who={{ ...who, id: room?.member_id }}>
        <Person who={who} />
      </AccountLink>
      {room && (
        <Link
          className="button"
          to="/chat/messaging/$room_id/$member_id/$room_code"
          params={{ room_id: String(room.room_id), member_id: String(room.member_id), room_code: room.code }}
        >
          <Icon name="chat" size={16} />
          {t('requests.conversation')}
        </Link>
      )}
    </div>
  )
}

/** The frame of one entry of a queue, which is in the address: beside the list, on a phone from below. */
export const QueueDrawer = ({ title, found, missing, footer, onClose, children }: Props) => {
  const { t } = useWords()
  return (
    <SideDrawer isInAddress phone="92%" onClose={onClose} title={title} footer={footer}>
      {found.error && <Alert text={found.error.message} />}
      {found.isPending && <p role="status">{t('table.loading')}</p>}
      {missing && <p role="status">{missing}</p>}
      {children}
    </SideDrawer>
  )
}
