import { ZoneNote } from '../../../ui/zone-note.tsx'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useNavigate } from '@tanstack/react-router'
import { rooms } from '../../../chat/model/chat-session.ts'
import { Failed, ListSkeleton, Search } from '../../../chat/view/list-parts.tsx'
import { useRooms } from '../../../chat/view/use-chat.ts'
import { useState } from 'react'
import { useWords } from '../../../i18n/i18n.ts'
import { useRoomAddress } from '../state/address.ts'
import { useSelection } from './bulk.ts'
import { useSavedFilter } from '../state/filter.ts'
import { SearchResults } from '../search/search-results.tsx'
import { SelectBox, BulkToolbar, ListButton, Views } from './list-tools.tsx'
import { PaletteButton, TopBar } from '../../../chat/view/top-bar.tsx'
import { roomsScroll } from '../state/scroll-position.ts'
import { RoomRow } from './room-row.tsx'
import '../search/search-results.css'
import { Rows } from './rows.tsx'
import { PushButton } from '../alerts/push-button.tsx'
import { SoundButton } from '../alerts/sound-button.tsx'

/** The group's conversations: those that wait first, or by the last message; with bulk actions on selected ones. */
export const RoomList = ({ small = false }: { small?: boolean }) => {
  const { t } = useWords()
  const { list, loading, error, retry } = useRooms(1)
  const { room_id } = useRoomAddress()
  const navigate = useNavigate()
  const by = useSavedFilter(list, room_id)
  const { shown } = by
  const text = by.filter.text.trim()
  const isCaughtUp = by.view === 'waiting' && text === '' && rooms.counts(1).waiting === 0
  const selection = useSelection(shown)
  const [isSelecting, setSelecting] = useState(false)
  const renderRow = (room: RoomSummary) => (
    <RoomRow
      room={room}
      current={String(room.room_id) === room_id}
      before={<SelectBox room={room} selection={selection} />}
    />
  )

  const tools = (
    <>
      <ListButton icon="sort" word={t('chat.longest_first')} isOn={by.longest} onChange={by.setLongest} />
      <ListButton icon="select" word={t('chat.select_some')} isOn={isSelecting} onChange={setSelecting} />
      <SoundButton />
      <PushButton />
    </>
  )
  return (
    <>
      {small && (
        <TopBar title={t('chat.messaging')}>
          {tools}
          <PaletteButton />
        </TopBar>
      )}
      <section
        className="room-list"
        data-focus-home="ul"
        data-selecting={isSelecting || selection.selected.length > 0 ? 'on' : 'off'}
        aria-label={t('chat.rooms')}
      >
        <div className="room-tools">
          <ZoneNote />
          {!small && (
            <div className="room-top">
              <h2>{t('chat.messaging')}</h2>
              {tools}
            </div>
          )}
          <Search value={by.filter.text} onChange={(text) => by.update({ text })} />
          <Views by={by} list={list} />
          <BulkToolbar
            by={by}
            status={1}
            selection={selection}
            actions={[
              ['hide', t('chat.hide')],
              ['read', t('chat.mark_read')],
            ]}
            onAction={async (action) => {
              if (action === 'hide') await navigate({ to: '/chat/messaging' })
            }}
          />
        </div>
        {loading === 'loading' && <ListSkeleton />}
        {loading === 'failed' && <Failed words={error ?? ''} retry={retry} />}
        {loading === 'ready' && list.length === 0 && (
          <div className="c-middle">
            <p>{t('chat.empty')}</p>
            <p className="c-note">{t('chat.empty_next')}</p>
          </div>
        )}
        {loading === 'ready' && list.length > 0 && shown.length === 0 && text === '' && (
          <div className="c-middle">
            <p>{t(by.view === 'waiting' ? 'chat.caught_up' : 'chat.none_so')}</p>
            <button type="button" className="button" onClick={by.clear}>
              {t('chat.show_all')}
            </button>
          </div>
        )}
        {loading === 'ready' && shown.length === 0 && text !== '' && (
          <p className="c-note room-none">{t('chat.none_named', { text })}</p>
        )}
        {isCaughtUp && shown.length > 0 && <p className="c-note room-none">{t('chat.caught_up')}</p>}
        {shown.length > 0 && (
          <Rows
            {...by.rows}
            label={t('chat.rooms')}
            renderRow={renderRow}
            scrollPosition={roomsScroll}
            current={room_id}
          />
        )}
        {text !== '' && <SearchResults text={text} />}
      </section>
    </>
  )
}
