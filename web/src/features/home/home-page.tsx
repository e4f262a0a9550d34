import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { summaryOf } from '../../chat/kinds.ts'
import { useRooms, useUnreadRooms } from '../../chat/use-talk.ts'
import { showMoment } from '../../time.ts'
import { Amount, available } from '../../ui/amount.tsx'
import { Person } from '../../ui/person.tsx'
import { useCall } from '../../use-call.ts'
import { useWords } from '../../words.ts'

const DAY = 24 * 3_600_000
const MINUTE = 60_000

/** HOME-01: what is true now, each number leading to the page that says more. */
export const HomePage = () => {
  const { t } = useWords()
  const { data: own } = useCall('user/view', {}, { meta: { aside: true } })
  const menu = useCall('userMenu/list', {}, { fresh: 5 * MINUTE })
  const has = (url: string) => menu.data?.some((page) => page.url === url) ?? false
  const unread = useUnreadRooms()
  return (
    <div className="home">
      <h2>{own ? t('home.hello', { name: own.nickname || own.username }) : '\u00a0'}</h2>
      <div className="tiles">
        <Tile to="/transaction/list" label={t('shell.balance')} more={t('home.to_log')} ready={own !== undefined}>
          {own && <Amount value={available(own)} unlimited={own.unlimited} />}
        </Tile>
        {has('/chat') && (
          <Tile to="/chat" label={t('home.unread')} more={t('home.to_chat')} ready lit={unread > 0}>
            <span className="points">{unread}</span>
          </Tile>
        )}
        {has('/transaction/list') && <OpenEnvelopes />}
        {has('/report/sr02') && <Today />}
      </div>
      {has('/chat') && <WaitingRooms />}
    </div>
  )
}

type TileProps = {
  to: string
  label: string
  more: string
  ready: boolean
  search?: Record<string, unknown>
  /** Something here waits for somebody. */
  lit?: boolean
  children: ReactNode
}

const Tile = ({ to, label, more, ready, search, lit = false, children }: TileProps) => (
  <Link to={to} className={`tile ${lit ? 'tile-lit' : ''}`} {...(search ? { search } : {})}>
    <span className="tile-label">{label}</span>
    <span className="tile-number">{ready ? children : <span className="bar" />}</span>
    <span className="tile-more">{more}</span>
  </Link>
)

/** What members were asked or offered and have not answered yet. */
const OpenEnvelopes = () => {
  const { t } = useWords()
  // Full minutes, so that looking again is the same question for a while.
  const range = useMemo(() => {
    const end = Math.ceil(Date.now() / MINUTE) * MINUTE
    return { start_time: showMoment(end - DAY), end_time: showMoment(end) }
  }, [])
  const list = useCall('redEnvelope/record', { ...range, page: 1, per_page: 1000 }, { meta: { aside: true } })
  const open = list.data?.data.filter(({ status }) => status === 4).length
  if (list.error) return null
  return (
    <Tile
      to="/transaction/list"
      search={{ type: 2 }}
      label={t('home.open_envelopes')}
      more={t('home.last_24_hours')}
      ready={open !== undefined}
      lit={(open ?? 0) > 0}
    >
      <span className="points">{open}</span>
    </Tile>
  )
}

const MOST = 8

/** Rooms in which somebody waits for an answer, each leading into it. */
const WaitingRooms = () => {
  const { t } = useWords()
  const { list } = useRooms(1)
  const waiting = list.filter(({ message_read }) => message_read !== 1).slice(0, MOST)
  if (waiting.length === 0) return null
  return (
    <section className="card home-waiting" aria-labelledby="waiting">
      <h2 id="waiting">{t('home.waiting')}</h2>
      <ul>
        {waiting.map((room) => (
          <li key={room.code}>
            <Link
              className="home-room"
              to="/chat/messaging/$room_id/$member_id/$room_code"
              params={{ room_id: String(room.room_id), member_id: String(room.member_id), room_code: room.code }}
            >
              <Person who={{ username: room.username, nickname: room.name, thumbnail: room.thumbnail }} />
              <span className="long home-last">{summaryOf(room, t, 'office')}</span>
              <span className="points">{room.message_time ? showMoment(room.message_time).slice(5) : ''}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Today = () => {
  const { t } = useWords()
  const day = showMoment(Date.now()).slice(0, 10)
  const { data, error } = useCall(
    'report/sr02',
    { username: '', start_date: day, end_date: day },
    { meta: { aside: true } },
  )
  if (error) return null
  return (
    <>
      <Tile to="/report/sr02" label={t('home.in_today')} more={t('home.to_report')} ready={data !== undefined}>
        {data && <Amount value={data.total.total_in} way="in" />}
      </Tile>
      <Tile to="/report/sr02" label={t('home.out_today')} more={t('home.to_report')} ready={data !== undefined}>
        {data && <Amount value={data.total.total_out} way="out" />}
      </Tile>
    </>
  )
}
