import type { RoomSummary } from '@tallyroom/contract/events'
import { useNavigate } from '@tanstack/react-router'
import { rooms } from '../../../chat/model/chat-session.ts'
import { Failed, ListSkeleton } from '../../../chat/view/list-parts.tsx'
import { useRooms } from '../../../chat/view/use-chat.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { useRoomAddress } from '../state/address.ts'
import { BulkBar, useSelectMode } from './bulk-bar.tsx'
import { OwnState } from '../desk/own-state.tsx'
import { ListHead } from './list-head.tsx'
import { useSelection } from './use-selection.ts'
import { useSavedFilter } from '../state/filter.ts'
import { SearchResults } from '../search/search-results.tsx'
import { ListButton, SelectAll, SelectBox, Views } from './list-tools.tsx'
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
  const mode = useSelectMode(selection, (id) => shown.find((room) => String(room.room_id) === id)?.code)
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
      <ListButton icon="select" word={t('chat.select_some')} isOn={mode.isOn} onChange={mode.setOn} />
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
          <OwnState />
        </TopBar>
      )}
      <section className="room-list" data-focus-home="ul" {...mode.section} aria-label={t('chat.rooms')}>
        <ListHead
          small={small}
          title={t('chat.messaging')}
          heading="h2"
          tools={tools}
          text={by.filter.text}
          onSearch={(next) => by.update({ text: next })}
        >
          <Views here={by.view} text={by.filter.text} onChoose={by.setView} />
          <SelectAll by={by} selection={selection} />
        </ListHead>
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
        <BulkBar
          by={by}
          status={1}
          selection={selection}
          onEnd={mode.end}
          assigns
          acts={[
            { action: 'settle', icon: 'check', word: t('desk.done') },
            { action: 'hide', icon: 'hidden', word: t('chat.hide') },
            { action: 'read', icon: 'checks', word: t('chat.mark_read') },
          ]}
          onAction={async (action) => {
            if (action === 'hide') await navigate({ to: '/chat/messaging' })
          }}
        />
      </section>
    </>
  )
}
