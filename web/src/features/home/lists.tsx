import type { Answer } from '@tallyroom/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lastMessageText } from '../../chat/model/message-kinds.ts'
import { useRooms } from '../../chat/view/use-chat.ts'
import { Amount } from '../../ui/amount.tsx'
import { Person } from '../../ui/person.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { WaitingTime } from '../room/list/waiting-time.tsx'

const MAX_ROWS = 8
/** The list page of each role. */
const pageOf: Record<number, string> = { 2: '/agent', 3: '/customer_service' }

const Part = ({
  id,
  title,
  emptyText,
  children,
}: {
  id: string
  title: string
  emptyText: string
  children: ReactNode[]
}) => (
  <section className="card home-part" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children.length > 0 ? <ul>{children}</ul> : <p className="home-none">{emptyText}</p>}
  </section>
)

/** Rooms that wait for an answer, longest first, each linked. */
export const WaitingRooms = () => {
  const { t } = useWords()
  const { list } = useRooms(1)
  const waiting = list
    .flatMap((room) => (room.waiting_since ? [{ room, since: room.waiting_since }] : []))
    .sort((a, b) => (a.since < b.since ? -1 : 1))
  return (
    <Part id="home-waiting" title={t('home.waiting')} emptyText={t('home.nobody_waits')}>
      {waiting.slice(0, MAX_ROWS).map(({ room, since }) => (
        <li key={room.code}>
          <Link
            className="home-row home-room"
            to="/chat/messaging/$room_id/$member_id/$room_code"
            params={{ room_id: String(room.room_id), member_id: String(room.member_id), room_code: room.code }}
          >
            <Person who={{ username: room.username, nickname: room.name, thumbnail: room.thumbnail }} />
            <span className="long home-last">{lastMessageText(room, t, 'office')}</span>
            <WaitingTime since={since} />
          </Link>
        </li>
      ))}
    </Part>
  )
}

/** Agents with the lowest balances. */
export const LowestBalances = ({ rows }: { rows: Answer<'home/view'>['low'] }) => {
  const { t } = useWords()
  return (
    <Part id="home-low" title={t('home.least_left')} emptyText={t('home.nobody_below')}>
      {rows.map((row) => (
        <li key={row.id}>
          <Link className="home-row" to="/agent">
            <Person who={{ ...row, thumbnail: '' }} />
            <Amount value={row.available} />
          </Link>
        </li>
      ))}
    </Part>
  )
}

/** Latest sign-ins of agents and customer service in the downline. */
export const SignIns = ({ rows }: { rows: Answer<'home/view'>['sign_ins'] }) => {
  const { t } = useWords()
  return (
    <Part id="home-sign-ins" title={t('home.sign_ins')} emptyText={t('home.nobody_below')}>
      {rows.map((row) => (
        <li key={row.id}>
          <Link className="home-row" to={pageOf[row.role_id] ?? '/agent'}>
            <Person who={{ ...row, thumbnail: '' }} role />
            <span className="points">{row.at.slice(5, 16)}</span>
          </Link>
        </li>
      ))}
    </Part>
  )
}
