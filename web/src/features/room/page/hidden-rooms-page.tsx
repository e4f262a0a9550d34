import { ZoneNote } from '../../../ui/zone-note.tsx'
import { useRooms } from '../../../chat/view/use-chat.ts'
import { useMedia } from '../../../ui/use-media.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { useSelection } from '../list/bulk.ts'
import { useChangeStatus } from '../list/change-status.ts'
import { useFilter } from '../state/filter.ts'
import { SelectBox, BulkToolbar } from '../list/list-tools.tsx'
import { Failed, Search, ListSkeleton } from '../../../chat/view/list-parts.tsx'
import { RoomRow } from '../list/room-row.tsx'
import { Rows } from '../list/rows.tsx'
import { SMALL } from '../../../chat/view/breakpoints.ts'
import { TopBar } from '../../../chat/view/top-bar.tsx'

/** /chat/hide: the hidden rooms. A message of the member brings a room back to the list. */
export const HiddenRoomsPage = () => {
  const { t } = useWords()
  const small = useMedia(SMALL)
  const { list, loading, error, retry } = useRooms(2)
  const { left, setStatus } = useChangeStatus()
  const by = useFilter(list)
  const { shown } = by
  const selection = useSelection(shown)
  return (
    <div className="messaging messaging-one">
      {small && <TopBar to="/chat/messaging" title={t('chat.hidden')} />}
      <section className="room-list" data-focus-home="ul" aria-label={t('chat.hidden')}>
        <div className="room-tools">
          <ZoneNote />
          {!small && <h1>{t('chat.hidden')}</h1>}
          <Search value={by.filter.text} onChange={(text) => by.update({ text })} />
          <BulkToolbar by={by} status={2} selection={selection} actions={[['show', t('chat.show_again')]]} />
        </div>
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
            label={t('chat.hidden')}
            renderRow={(room) => (
              <RoomRow
                room={room}
                current={false}
                before={<SelectBox room={room} selection={selection} />}
                after={
                  <button
                    type="button"
                    className="button"
                    disabled={left > 0}
                    aria-label={t('chat.show_again_named', { name: room.name })}
                    onClick={() => void setStatus([room.code], 1)}
                  >
                    {t('chat.show_again')}
                  </button>
                }
              />
            )}
          />
        )}
      </section>
    </div>
  )
}
