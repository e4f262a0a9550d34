import type { Answer } from '@tallyroom/contract'
import { showPoints } from '@tallyroom/contract/points'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useRooms, useUnreadRooms } from '../../chat/view/use-chat.ts'
import { throttle } from '../../lib/throttle.ts'
import { onEvent } from '../../api/live.ts'
import { Amount, available } from '../../ui/amount.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { refresh, useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Days } from '../report/days.tsx'
import { WaitingTime } from '../room/list/waiting-time.tsx'
import { LowestBalances, SignIns, WaitingRooms } from './lists.tsx'
import { Tile } from './tile.tsx'
import './home.css'

const MINUTE = 60_000
/** Refreshes the numbers after events about rooms and wallets. */
const useLiveRefresh = () => {
  const cache = useQueryClient()
  useEffect(() => {
    const { soon, stop } = throttle(() => void refresh(cache, ['home/view']))
    const stops = [stop, onEvent('account', soon), onEvent('room', soon)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [cache])
}

/** HOME-01: current numbers, each linked to its page. */
export const HomePage = () => {
  const { t } = useWords()
  const { data: own } = useCall('user/view', {}, { meta: { optional: true } })
  const menu = useCall('userMenu/list', {}, { staleTime: 5 * MINUTE, meta: { optional: true } })
  const home = useCall('home/view', {})
  useLiveRefresh()
  const has = (url: string) => menu.data?.some((page) => page.url === url) ?? false
  return (
    <div className="home">
      <h2>{own ? t('home.hello', { name: own.nickname || own.username }) : '\u00a0'}</h2>
      {home.error && <Alert text={home.error.message} />}
      <div className="tiles">
        <Tile to="/transaction/list" label={t('shell.balance')} more={t('menu.transaction_log')} ready={!!own}>
          {own && <Amount value={available(own)} unlimited={own.unlimited} />}
        </Tile>
        {has('/chat') && <ConversationTiles />}
        <OpenEnvelopes open={home.data?.open} />
        {has('/report/sr02') && <Today today={home.data?.days.at(-1)} />}
      </div>
      <div className="home-parts">
        {has('/chat') && <WaitingRooms />}
        {has('/report/sr02') && home.data && <Days days={home.data.days} />}
        {has('/agent') && home.data && <LowestBalances rows={home.data.low} />}
        {has('/customer_service') && home.data && <SignIns rows={home.data.sign_ins} />}
      </div>
    </div>
  )
}

/** Tiles for unread rooms and for rooms that wait for an answer, with the longest waiting time. */
const ConversationTiles = () => {
  const { t } = useWords()
  const unread = useUnreadRooms()
  const { list, loading } = useRooms(1)
  const waiting = list.flatMap(({ waiting_since }) => (waiting_since ? [waiting_since] : [])).sort()
  return (
    <>
      <Tile to="/chat/messaging" label={t('home.unread')} more={t('home.to_chat')} ready highlighted={unread > 0}>
        <span className="points">{unread}</span>
      </Tile>
      <Tile
        to="/chat/messaging"
        label={t('home.waiting')}
        more={t('home.to_chat')}
        ready={loading !== 'loading' || list.length > 0}
        highlighted={waiting.length > 0}
        beside={waiting[0] ? <WaitingTime since={waiting[0]} /> : undefined}
      >
        <span className="points">{waiting.length}</span>
      </Tile>
    </>
  )
}

/** Envelopes that members have not answered yet. */
const OpenEnvelopes = ({ open }: { open: Answer<'home/view'>['open'] | undefined }) => {
  const { t } = useWords()
  const count = open && open.offers + open.requests
  return (
    <Tile
      to="/transaction/list"
      search={{ type: 2 }}
      label={t('home.open_envelopes')}
      more={
        open ? t('home.held_asked', { held: shown(open.held), asked: shown(open.asked) }) : t('menu.transaction_log')
      }
      ready={count !== undefined}
      highlighted={(count ?? 0) > 0}
    >
      <span className="points">{count}</span>
    </Tile>
  )
}
const shown = (points: string) => showPoints(pointsOf(points))

const Today = ({ today }: { today: Answer<'home/view'>['days'][number] | undefined }) => {
  const { t } = useWords()
  return (
    <>
      <Tile to="/report/sr02" label={t('home.in_today')} more={t('menu.sr02')} ready={!!today}>
        {today && <Amount value={today.total_in} way="in" />}
      </Tile>
      <Tile to="/report/sr02" label={t('home.out_today')} more={t('menu.sr02')} ready={!!today}>
        {today && <Amount value={today.total_out} way="out" />}
      </Tile>
    </>
  )
}
