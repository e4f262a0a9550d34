import { Role } from '@tallyroom/contract/codes'
import { roleWords } from '@tallyroom/contract/words/code-words'
import type { Answer } from '@tallyroom/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lastMessageText } from '../../chat/model/message-kinds.ts'
import { useRooms } from '../../chat/view/use-chat.ts'
import { Amount } from '../../ui/amount.tsx'
import { accountPath } from '../../domain/account-link.tsx'
import { Person } from '../../ui/person.tsx'
import { useMenu } from '../../api/use-menu.ts'
import { useWords } from '../../i18n/i18n.ts'
import { LOUDEST } from '../../chat/model/wait.ts'
import { WaitingTime } from '../../chat/view/waiting-time.tsx'

const MAX_ROWS = 5

type PartProps = { id: string; title: ReactNode; emptyText: string; children: ReactNode[]; foot?: ReactNode }

export const Part = ({ id, title, emptyText, children, foot }: PartProps) => (
  <section className="card home-part" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children.length > 0 ? <ul>{children}</ul> : <p className="home-none">{emptyText}</p>}
    {foot}
  </section>
)

/** Rooms that wait for an answer, longest first, each linked. */
export const WaitingRooms = () => {
  const { t } = useWords()
  const { list, loading } = useRooms(1)
  const waiting = list
    .flatMap((room) => (room.waiting_since && !room.snoozed_until ? [{ room, since: room.waiting_since }] : []))
    .sort((a, b) => (a.since < b.since ? -1 : 1))
  const more = waiting.length - MAX_ROWS
  const title = (
    <Link to="/chat/messaging">
      {t('home.waiting')} {waiting.length > 0 && <span className="points">{waiting.length}</span>}
    </Link>
  )
  return (
    <Part
      id="home-waiting"
      title={title}
      emptyText={loading === 'loading' && list.length === 0 ? t('table.loading') : t('home.nobody_waits')}
      foot={
        more > 0 && (
          <p className="home-more">
            <Link to="/chat/messaging">{t('home.more_waiting', { n: more })}</Link>
          </p>
        )
      }
    >
      {waiting.slice(0, MAX_ROWS).map(({ room, since }, at) => (
        <li key={room.code}>
          <Link
            className="home-row home-room"
            to="/chat/messaging/$room_id/$member_id/$room_code"
            params={{ room_id: String(room.room_id), member_id: String(room.member_id), room_code: room.code }}
          >
            <Person who={{ username: room.username, nickname: room.name, thumbnail: room.thumbnail }} />
            <span className="long home-last">{lastMessageText(room, t)}</span>
            <span className="long home-owner">{room.owner_name || t('desk.free')}</span>
            <WaitingTime since={since} worded loud={at < LOUDEST} />
          </Link>
        </li>
      ))}
    </Part>
  )
}

type DecisionProps = {
  to: '/cash' | '/approvals' | '/transaction/list/{-$username}'
  search?: { type: 2 }
  n: number | undefined
  label: string
  more?: string
}

/** A number of things that wait for this user, linked to their list. */
export const Decision = ({ to, search, n, label, more }: DecisionProps) => (
  <li>
    <Link className="home-row home-decision" to={to} {...(search ? { search } : {})}>
      <span>
        <b>{label}</b>
        {more && <span className="home-last">{more}</span>}
      </span>
      <span className="points home-count" data-any={(n ?? 0) > 0}>
        {n ?? '…'}
      </span>
    </Link>
  </li>
)

/** Agents with the lowest balances. */
export const LowestBalances = ({ rows }: { rows: Answer<'home/view'>['low'] }) => {
  const { t } = useWords()
  return (
    <Part id="home-low" title={t('home.least_left')} emptyText="">
      {rows.map((row) => (
        <li key={row.id}>
          <Link className="home-row" to={accountPath({ ...row, role_id: Role.agent }) ?? '/agent'}>
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
  const { pageOf } = useMenu()
  return (
    <Part id="home-sign-ins" title={t('home.sign_ins')} emptyText={t('home.no_sign_ins')}>
      {rows.map((row) => (
        <li key={row.id}>
          <Link className="home-row" to={accountPath(row) ?? pageOf(row.role_id)?.url ?? '/agent'}>
            <Person who={{ ...row, thumbnail: '' }} />
            <span className="home-when">
              <span className="points">{row.at.slice(5, 16)}</span>
              <span>{t(roleWords[row.role_id] ?? 'role.member')}</span>
            </span>
          </Link>
        </li>
      ))}
    </Part>
  )
}
