import { useMemo, useState } from 'react'
import { useRooms } from '../../../chat/view/use-chat.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { useRoomAddress } from '../state/address.ts'
import { isNamed } from '../state/filter.ts'
import { botRoomsScroll } from '../state/scroll-position.ts'
import { Failed, ListSkeleton } from '../../../chat/view/list-parts.tsx'
import { ListHead } from './list-head.tsx'
import { Views } from './list-tools.tsx'
import { RoomRow } from './room-row.tsx'
import { PushButton } from '../alerts/push-button.tsx'
import { SoundButton } from '../alerts/sound-button.tsx'
import { PaletteButton, TopBar } from '../../../chat/view/top-bar.tsx'
import { Rows } from './rows.tsx'

/** ?ai=1: the rooms in which the bot answers (CHAT-03). Rooms cannot be selected or hidden here. */
export const AiList = ({ small }: { small: boolean }) => {
  const { t } = useWords()
  const { list, loading, error, retry } = useRooms(3)
  const { room_id } = useRoomAddress()
  const [filter, setFilter] = useState('')
  const shown = useMemo(() => list.filter(isNamed(filter)), [list, filter])
  const title = t('chat.messaging_ai')
  const tools = (
    <>
      <SoundButton />
      <PushButton />
    </>
  )
  return (
    <>
      {small && (
        <TopBar title={title}>
          {tools}
          <PaletteButton />
        </TopBar>
      )}
      <section className="room-list" data-focus-home="ul" data-selecting="off" aria-label={title}>
        <ListHead small={small} title={title} tools={tools} text={filter} onSearch={setFilter}>
          <Views here="ai" />
        </ListHead>
        {loading === 'loading' && <ListSkeleton />}
        {loading === 'failed' && <Failed words={error ?? ''} retry={retry} />}
        {loading === 'ready' && shown.length === 0 && (
          <p className="c-middle">
            {list.length ? t('chat.nothing_found', { text: filter.trim() }) : t('chat.ai_empty')}
          </p>
        )}
        {shown.length > 0 && (
          <Rows
            rooms={shown}
            label={title}
            scrollPosition={botRoomsScroll}
            renderRow={(room) => <RoomRow room={room} current={String(room.room_id) === room_id} />}
          />
        )}
      </section>
    </>
  )
}
