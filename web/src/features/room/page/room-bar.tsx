import { RoomStatus, RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import type { ReactNode } from 'react'
import { useViewers } from '../../../chat/model/presence.ts'
import { mediaSrc } from '../../../chat/model/media-src.ts'
import { openPalette } from '../../../ui/palette-state.ts'
import { Avatar } from '../../../ui/person.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import { AccountLink } from '../../../domain/account-link.tsx'
import { FrozenMark } from '../desk/frozen.tsx'
import { Done, Owner } from '../desk/owner.tsx'
import { WaitingTime } from '../../../chat/view/waiting-time.tsx'
import { askForKeys } from '../../../ui/keyboard/keys-asked.ts'
import { ToolButtons, ToolMenu, useTools } from './tools.tsx'
import type { Tool } from '../state/tool.ts'
import { TopBar } from '../../../chat/view/top-bar.tsx'

type BarProps = { room: RoomSummary | undefined; small: boolean; panel: ReactNode }

/** The room's header: its partner, how long it waits, and the acts. */
export const RoomBar = ({ room, small, panel }: BarProps) => {
  const { t } = useWords()
  const title = room ? (
    <span className="room-title">
      {room.type === RoomType.upline ? (
        <bdi>{room.name}</bdi>
      ) : (
        <AccountLink who={{ id: room.member_id, username: room.partner_username }}>
          <bdi>{room.name}</bdi>
        </AccountLink>
      )}
      <span className="room-title-more">
        <bdi className="room-username">({room.partner_username})</bdi>
        <FrozenMark room={room} />
        {room.waiting_since && (
          <span className="room-title-wait">
            <WaitingTime since={room.waiting_since} worded={!small} />
          </span>
        )}
      </span>
    </span>
  ) : (
    <span className="visually-hidden">{t('chat.messaging')}</span>
  )
  const tools = room ? <Tools room={room} small={small} panel={panel} /> : null
  if (small) {
    return (
      <TopBar to="/chat/messaging" ai={room?.status === RoomStatus.ai} title={title}>
        {tools}
      </TopBar>
    )
  }
  return (
    <header className="chat-bar c-theme-head">
      {room && <Avatar src={room.thumbnail ? mediaSrc(room.thumbnail) : ''} name={room.name} size={36} />}
      <h1>{title}</h1>
      {tools}
    </header>
  )
}

/** The two acts of every hour in words; icons for what is unmistakable; the rest in words behind "⋯". */
const Tools = ({ room, small, panel }: { room: RoomSummary; small: boolean; panel: ReactNode }) => {
  const { t } = useWords()
  const { tools, dialogs } = useTools(room)
  const isDesk = room.type !== RoomType.upline && room.status !== RoomStatus.ai
  const inHeader = small ? [] : tools.filter((tool) => tool.inHeader)
  const inMenu: Tool[] = [
    ...tools.filter((tool) => !inHeader.includes(tool)),
    ...(small ? [{ icon: 'search' as const, word: t('palette.title'), press: openPalette }] : []),
    ...(small ? [] : [{ icon: 'keyboard' as const, word: t('keys.title'), press: askForKeys }]),
  ]
  return (
    <>
      {room.type !== RoomType.upline && !small && <Looking code={room.code} />}
      {isDesk && <Owner room={room} />}
      {isDesk && <Done room={room} />}
      <ToolButtons tools={inHeader} />
      {small && panel}
      <ToolMenu tools={inMenu} />
      {!small && panel}
      {dialogs}
    </>
  )
}

/** Colleagues who look at this room now. */
const Looking = ({ code }: { code: string }) => {
  const { t } = useWords()
  const people = useViewers(code)
  if (people.length === 0) return null
  const words = t('desk.looking', { names: people.map(({ name }) => name).join(', ') })
  return (
    <span className="room-looking" data-tip={words}>
      {people.slice(0, 3).map(({ id, name }) => (
        <Avatar key={id} src="" name={name} size={24} />
      ))}
      <span className="visually-hidden" role="status">
        {words}
      </span>
    </span>
  )
}
