import { useMemo, useState } from 'react'
import { useRooms } from '../../chat/use-talk.ts'
import { useMedia } from '../../ui/use-media.ts'
import { useWords } from '../../words.ts'
import { useChangeStatus } from './change-status.ts'
import { Failed, matches, Search, Skeleton } from './room-list.tsx'
import { RoomRow } from './room-row.tsx'
import { Rows } from './rows.tsx'
import { SMALL } from './small.ts'
import { TopBar } from './top-bar.tsx'

/** /chat/hide: rooms that were put aside. Opening one leads to its talk; a message of the member brings it back. */
export const HiddenRoomsPage = () => {
  const { t } = useWords()
  const small = useMedia(SMALL)
  const { list, loading, error, retry } = useRooms(2)
  const { left, change } = useChangeStatus()
  const [filter, setFilter] = useState('')
  const shown = useMemo(() => list.filter((room) => matches(room, filter)), [list, filter])
  return (
    <div className="messaging messaging-one">
      {small && <TopBar to="/index" title={t('chat.hidden')} />}
      <section className="room-list" aria-label={t('chat.hidden')}>
        <div className="room-tools">
          {!small && <h1>{t('chat.hidden')}</h1>}
          <Search value={filter} onChange={setFilter} />
        </div>
        {loading === 'loading' && <Skeleton />}
        {loading === 'failed' && <Failed words={error ?? ''} retry={retry} />}
        {loading === 'ready' && shown.length === 0 && (
          <p className="c-middle">
            {list.length ? t('chat.nothing_found', { text: filter.trim() }) : t('chat.hidden_empty')}
          </p>
        )}
        {shown.length > 0 && (
          <Rows
            rooms={shown}
            label={t('chat.hidden')}
            draw={(room) => (
              <RoomRow
                room={room}
                current={false}
                after={
                  <button
                    type="button"
                    className="button"
                    disabled={left > 0}
                    aria-label={t('chat.show_again_named', { name: room.name })}
                    onClick={() => void change([room.code], 1)}
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
