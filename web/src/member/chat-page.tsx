import { lazy, Suspense, useEffect, useState } from 'react'
import { exactAmount } from '../chat/model/message-kinds.ts'
import { mediaSrc } from '../chat/model/media-src.ts'
import { roomStyle, useRoomTheme } from '../chat/view/room-theme.ts'
import { RoomView } from '../chat/view/room-view.tsx'
import { outbox, startChat, stopChat } from '../chat/model/chat-session.ts'
import { unreadIn } from '@tallyroom/contract/unread'
import { useRooms } from '../chat/view/use-chat.ts'
import { watchConnection } from '../api/connection.ts'
import { onConnected, onEvent } from '../api/live.ts'
import { getStored } from '../lib/storage.ts'
import { Icon } from '../ui/icon.tsx'
import { Avatar } from '../ui/person.tsx'
import { useWords } from '../i18n/i18n.ts'
import { storedLook } from './look.ts'
import { postUnread } from './embedding.ts'
import { refreshMe, useSession, setLeaveHandler } from './session.ts'

const MenuSheet = lazy(async () => ({ default: (await import('./menu-sheet.tsx')).MenuSheet }))
const PointsSheet = lazy(async () => ({ default: (await import('./points-sheet.tsx')).PointsSheet }))

/** Runs the chat during the session: socket and outbox, and refreshes of the member's own data. */
const useMemberChat = (accountId: string) => {
  useEffect(() => {
    const stops = [
      watchConnection({ asks: false }),
      onEvent('account', () => void refreshMe()),
      onConnected(() => void refreshMe()),
    ]
    setLeaveHandler((forgetTyped) => stopChat({ forgetTyped }))
    startChat(accountId)
    if (getStored('push')) void import('../chat/model/push.ts').then(({ renewPush }) => renewPush()).catch(() => {})
    void refreshMe()
    return () => {
      for (const stop of stops) stop()
      stopChat()
    }
  }, [accountId])
}

/** Until the room's theme has loaded, its head is that of the sign-in page. */
const noRoom = { background_image: '', background_color: '', late_after: 0, overdue_after: 0 }

/** The member's page: the room's name, the balance, the messages, and the composer. */
export const ChatPage = ({ accountId }: { accountId: string }) => {
  const { t } = useWords()
  useMemberChat(accountId)
  const { me } = useSession()
  const { list, loading, error, retry } = useRooms(1)
  const [sheet, setSheet] = useState<'points' | 'menu'>()
  const room = list[0]
  const [look] = useState(storedLook)
  const theme = useRoomTheme() ?? (look && { ...noRoom, ...look })
  const waiting = room ? unreadIn(room) : 0
  useEffect(() => postUnread(waiting), [waiting])
  const name = theme?.name || room?.name || ''
  useEffect(() => {
    if (name) document.title = name
  }, [name])

  return (
    <main className="m-chat" {...roomStyle(theme)}>
      <header className="m-header c-theme-head">
        <Avatar src={room?.thumbnail ? mediaSrc(room.thumbnail) : ''} name={name} size={36} />
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <button type="button" className="m-balance" onClick={() => setSheet('points')}>
          <Icon name="wallet" />
          <span className="visually-hidden">{t('member.balance')}</span>
          <span className="points">{me ? exactAmount(me.balance) : '…'}</span>
        </button>
        <button type="button" className="c-round" aria-label={t('member.menu')} onClick={() => setSheet('menu')}>
          <Icon name="menu" />
        </button>
      </header>
      {room?.bot === 1 && (
        <p className="m-bot" role="status">
          {t('member.bot_answers')}
          <button type="button" className="c-link" onClick={() => outbox.add(room.code, t('member.ask_person'))}>
            {t('member.ask_person')}
          </button>
        </p>
      )}
      {room ? (
        <RoomView key={room.code} code={room.code} face="member" ownUsername="" onReadFailed={() => {}} autoFocus />
      ) : (
        <div className="c-middle">
          {loading === 'loading' && <p role="status">{t('chat.loading')}</p>}
          {loading === 'failed' && (
            <>
              <p role="alert">{error}</p>
              <button type="button" className="button" onClick={retry}>
                {t('action.try_again')}
              </button>
            </>
          )}
          {loading === 'ready' && <p>{t('member.no_room')}</p>}
        </div>
      )}
      <Suspense>
        {sheet === 'points' && <PointsSheet onClose={() => setSheet(undefined)} />}
        {sheet === 'menu' && <MenuSheet onClose={() => setSheet(undefined)} />}
      </Suspense>
    </main>
  )
}
