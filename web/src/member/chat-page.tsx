import { lazy, type MouseEvent, Suspense, useEffect, useRef, useState } from 'react'
import { exactAmount } from '../chat/model/message-kinds.ts'
import { mediaSrc } from '../chat/model/media-src.ts'
import { noSettings } from '../chat/model/room-theme.ts'
import { roomStyle, useRoomTheme } from '../chat/view/room-theme.ts'
import { RoomView } from '../chat/view/room-view.tsx'
import { startChat, stopChat } from '../chat/model/chat-session.ts'
import { unreadIn } from '@tallyroom/contract/unread'
import { useRooms } from '../chat/view/use-chat.ts'
import { watchConnection } from '../api/connection.ts'
import { onConnected, onEvent } from '../api/live.ts'
import { onceIdle } from '../lib/schedule.ts'
import { getStored } from '../lib/storage.ts'
import { Icon } from '../ui/icon.tsx'
import { Avatar } from '../ui/person.tsx'
import { useWords } from '../i18n/i18n.ts'
import { LiveNotice } from './profile/own-notices.tsx'
import { BotLine } from './bot-line.tsx'
import { UnusedInvitation } from './unused-invitation.tsx'
import { brandOf } from './brand.ts'
import { rememberGroup, storedLook } from './look.ts'
import './brand.css'
import { refreshMe, useSession, setLeaveHandler, setUnread } from './session.ts'
import { loadSheetWords } from './sheet-words.ts'

const loadMenu = async () => {
  const [sheet] = await Promise.all([import('./menu-sheet.tsx'), loadSheetWords()])
  return sheet
}
const loadPoints = async () => {
  const [sheet] = await Promise.all([import('./points/points-sheet.tsx'), loadSheetWords()])
  return sheet
}
/** What it says comes from the server, after the conversation. */
const DeskLine = lazy(async () => {
  const [{ DeskLine: line }] = await Promise.all([import('./desk/desk-line.tsx'), loadSheetWords()])
  return { default: line }
})
const MenuSheet = lazy(async () => ({ default: (await loadMenu()).MenuSheet }))
const PointsSheet = lazy(async () => ({ default: (await loadPoints()).PointsSheet }))

/** Loads the sheets once the room is on the screen: on a slow line the first one opened half a second after its press. */
const usePreloadedSheets = (isRoomShown: boolean) =>
  useEffect(() => {
    if (isRoomShown) onceIdle(() => void Promise.all([loadPoints(), loadMenu()]).catch(() => undefined))
  }, [isRoomShown])

/** Which sheet is open. Its button gets the focus back: on a touch screen it may not have had it. */
const useSheet = () => {
  const [sheet, setSheet] = useState<'points' | 'menu'>()
  const opener = useRef<HTMLElement>(undefined)
  useEffect(() => {
    if (!sheet) opener.current?.focus({ preventScroll: true })
  }, [sheet])
  const open =
    (which: 'points' | 'menu') =>
    ({ currentTarget }: MouseEvent<HTMLElement>) => {
      opener.current = currentTarget
      setSheet(which)
    }
  return { sheet, open, close: () => setSheet(undefined) }
}

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

type Props = {
  accountId: string
  /** The page was opened with an invitation that this session cannot use. */
  wasInvited?: boolean
}

/** The member's page: the room's name, the balance, the messages, and the composer. */
export const ChatPage = ({ accountId, wasInvited = false }: Props) => {
  const { t } = useWords()
  useMemberChat(accountId)
  const { me } = useSession()
  const { list, loading, error, retry } = useRooms(1)
  const { sheet, open, close } = useSheet()
  const [asked, setAsked] = useState('')
  const closeAndSay = (what: string) => {
    close()
    setAsked(what)
  }
  useEffect(() => {
    if (sheet) setAsked('')
  }, [sheet])
  const room = list[0]
  usePreloadedSheets(room !== undefined)
  const [look] = useState(storedLook)
  const loaded = useRoomTheme()
  // Until the theme has loaded, the head is that of the sign-in page.
  const theme = loaded ?? (look && { ...noSettings, ...look })
  const ground = roomStyle(theme)
  const brand = brandOf(theme)
  const [closed, setClosed] = useState('')
  const waiting = room ? unreadIn(room) : 0
  useEffect(() => setUnread(waiting), [waiting])
  useEffect(() => () => setUnread(0), [])
  const name = theme?.name || room?.name || ''
  useEffect(() => {
    if (name) document.title = name
  }, [name])
  useEffect(() => {
    if (!loaded || !name) return
    const { header_background_color, header_font_color } = loaded
    rememberGroup({ name, header_background_color, header_font_color })
  }, [loaded, name])

  return (
    <main className="m-chat" data-brand={brand ? true : undefined} {...ground} style={{ ...ground.style, ...brand }}>
      <header className="m-header c-theme-head">
        <Avatar src={room?.thumbnail ? mediaSrc(room.thumbnail) : ''} name={name} size={36} />
        <div className="m-who">
          <h1>
            <bdi>{name}</bdi>
          </h1>
          <Suspense>{room?.bot === 0 && <DeskLine onClosed={setClosed} />}</Suspense>
        </div>
        <button type="button" className="m-balance" onClick={open('points')}>
          <Icon name="wallet" />
          <span className="visually-hidden">{t('member.balance')}</span>
          <span className="points">{me ? exactAmount(me.balance) : '…'}</span>
        </button>
        <button type="button" className="c-round" aria-label={t('member.menu')} onClick={open('menu')}>
          <Icon name="menu" />
        </button>
      </header>
      <LiveNotice />
      {wasInvited && <UnusedInvitation />}
      {room?.bot === 1 && <BotLine code={room.code} />}
      {room ? (
        <RoomView
          key={room.code}
          code={room.code}
          face="member"
          ownUsername=""
          onReadFailed={() => {}}
          autoFocus
          empty={closed}
        />
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
        {sheet === 'points' && <PointsSheet onClose={close} onAsked={closeAndSay} />}
        {sheet === 'menu' && <MenuSheet onClose={close} />}
      </Suspense>
      {/* Outside of the sheet, which closes: nothing around an open one is read out. */}
      <p className="visually-hidden" role="status">
        {asked || null}
      </p>
    </main>
  )
}
