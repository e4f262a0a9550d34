import type { RoomSummary } from '@tallyroom/contract/events'
import { Failed, ListSkeleton } from '../../../chat/view/list-parts.tsx'
import { PaletteButton, TopBar } from '../../../chat/view/top-bar.tsx'
import { useRooms } from '../../../chat/view/use-chat.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useFilter } from '../state/filter.ts'
import { useRoomAddress } from '../state/address.ts'
import { PushButton } from '../alerts/push-button.tsx'
import { SoundButton } from '../alerts/sound-button.tsx'
import { BulkBar, useSelectMode } from './bulk-bar.tsx'
import { useChangeStatus } from './change-status.ts'
import { ListHead } from './list-head.tsx'
import { ListButton, SelectAll, SelectBox, Views } from './list-tools.tsx'
import { RoomRow } from './room-row.tsx'
import { Rows } from './rows.tsx'
import { useSelection } from './use-selection.ts'

/** The hidden rooms: a view of the inbox. A message of the member brings a room back to the list. */
export const HiddenList = ({ small }: { small: boolean }) => {
  const { t } = useWords()
  const { list, loading, error, retry } = useRooms(2)
  const { room_id } = useRoomAddress()
  const by = useFilter(list, undefined, room_id)
  const { shown } = by
  const selection = useSelection(shown)
  const mode = useSelectMode(selection, (id) => shown.find((room) => String(room.room_id) === id)?.code)
  const title = t('chat.hidden')
  const tools = (
    <>
      <ListButton icon="select" word={t('chat.select_some')} isOn={mode.isOn} onChange={mode.setOn} />
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
      <section className="room-list" data-focus-home="ul" {...mode.section} aria-label={title}>
        <ListHead
          small={small}
          title={title}
          tools={tools}
          text={by.filter.text}
          onSearch={(text) => by.update({ text })}
        >
          <Views here="hidden" />
          <SelectAll by={by} selection={selection} />
        </ListHead>
        {loading === 'loading' && <ListSkeleton />}
        {loading === 'failed' && <Failed words={error ?? ''} retry={retry} />}
        {loading === 'ready' && shown.length === 0 && (
          <p className="c-middle">
            {list.length ? t('chat.nothing_found', { text: by.filter.text.trim() }) : t('chat.hidden_empty')}
          </p>
        )}
        {shown.length > 0 && (
          <Rows
            {...by.rows}
            label={title}
            current={room_id}
            renderRow={(room) => (
              <RoomRow
                room={room}
                current={String(room.room_id) === room_id}
                before={<SelectBox room={room} selection={selection} />}
                after={<ShowAgain room={room} />}
              />
            )}
          />
        )}
        <BulkBar
          by={by}
          status={2}
          selection={selection}
          onEnd={mode.end}
          acts={[{ action: 'show', icon: 'chat', word: t('chat.show_again') }]}
        />
      </section>
    </>
  )
}

const ShowAgain = ({ room }: { room: RoomSummary }) => {
  const { t } = useWords()
  const { left, setStatus } = useChangeStatus()
  return (
    <button
      type="button"
      className="c-round"
      disabled={left > 0}
      aria-label={t('chat.show_again_named', { name: room.name })}
      data-tip={t('chat.show_again')}
      onClick={() => void setStatus([room.code], 1)}
    >
      <Icon name="eye" />
    </button>
  )
}
