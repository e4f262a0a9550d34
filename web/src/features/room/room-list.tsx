import type { RoomSummary } from '@tallyroom/contract/events'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useRooms } from '../../chat/use-talk.ts'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words.ts'
import { useChangeStatus } from './change-status.ts'
import { Found } from './found.tsx'
import { RoomRow } from './room-row.tsx'
import './found.css'
import { Rows } from './rows.tsx'

export const matches = (room: RoomSummary, text: string) => {
  const wanted = text.trim().toLowerCase()
  return !wanted || room.name.toLowerCase().includes(wanted) || room.username.toLowerCase().includes(wanted)
}

/** The talks of the group, the last one first; several can be chosen and hidden at once. */
export const RoomList = () => {
  const { t } = useWords()
  const { list, loading, error, retry } = useRooms(1)
  const { room_id } = useParams({ strict: false })
  const navigate = useNavigate()
  const { left, change } = useChangeStatus()
  const [filter, setFilter] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())

  const shown = useMemo(() => list.filter((room) => matches(room, filter)), [list, filter])
  const chosenShown = shown.filter((room) => chosen.has(room.code))
  const all = shown.length > 0 && chosenShown.length === shown.length

  const choose = useCallback((code: string, on: boolean) => {
    setChosen((now) => {
      const next = new Set(now)
      if (on) next.add(code)
      else next.delete(code)
      return next
    })
  }, [])
  const hide = async () => {
    const codes = chosenShown.map((room) => room.code)
    setChosen(new Set())
    await navigate({ to: '/chat/messaging' })
    await change(codes, 2)
  }
  const draw = (room: RoomSummary) => (
    <RoomRow
      room={room}
      current={String(room.room_id) === room_id}
      before={
        <input
          type="checkbox"
          className="room-choose"
          aria-label={t('chat.select', { name: room.name })}
          checked={chosen.has(room.code)}
          onChange={(event) => choose(room.code, event.target.checked)}
        />
      }
    />
  )

  return (
    <section className="room-list" aria-label={t('chat.rooms')}>
      <div className="room-tools">
        <Search value={filter} onChange={setFilter} />
        <div className="room-actions">
          <label>
            <input
              type="checkbox"
              checked={all}
              disabled={shown.length === 0}
              ref={(box) => {
                if (box) box.indeterminate = !all && chosenShown.length > 0
              }}
              onChange={(event) =>
                setChosen(event.target.checked ? new Set(shown.map((room) => room.code)) : new Set())
              }
            />
            {chosenShown.length ? t('chat.selected', { n: chosenShown.length }) : t('chat.select_all')}
          </label>
          <span className="c-note points">{t('chat.room_count', { n: shown.length })}</span>
          {chosenShown.length > 0 && (
            <button type="button" className="button" onClick={() => void hide()}>
              {t('chat.hide')}
            </button>
          )}
        </div>
        {left > 0 && (
          <p className="c-note" role="status">
            {t('chat.hiding', { n: left })}
          </p>
        )}
      </div>
      {loading === 'loading' && <Skeleton />}
      {loading === 'failed' && <Failed words={error ?? ''} retry={retry} />}
      {loading === 'ready' && list.length === 0 && (
        <div className="c-middle">
          <p>{t('chat.empty')}</p>
          <p className="c-note">{t('chat.empty_next')}</p>
        </div>
      )}
      {loading === 'ready' && list.length > 0 && shown.length === 0 && (
        <div className="c-middle">
          <p>{t('chat.nothing_found', { text: filter.trim() })}</p>
          <button type="button" className="button" onClick={() => setFilter('')}>
            {t('chat.show_all')}
          </button>
        </div>
      )}
      {shown.length > 0 && <Rows rooms={shown} label={t('chat.rooms')} draw={draw} />}
      {filter.trim() !== '' && <Found text={filter.trim()} />}
    </section>
  )
}

export const Search = ({ value, onChange }: { value: string; onChange: (text: string) => void }) => {
  const { t } = useWords()
  return (
    <label className="room-search">
      <Icon name="search" />
      <input
        type="search"
        value={value}
        placeholder={t('chat.filter')}
        aria-label={t('chat.filter')}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

export const Skeleton = () => {
  const { t } = useWords()
  return (
    <div className="room-skeleton" role="status">
      <span className="heard">{t('chat.loading')}</span>
      {[0, 1, 2, 3, 4, 5].map((n) => (
        <div key={n} aria-hidden="true">
          <i />
          <b />
        </div>
      ))}
    </div>
  )
}

export const Failed = ({ words, retry }: { words: string; retry: () => void }) => {
  const { t } = useWords()
  return (
    <div className="c-middle">
      <p role="alert">{words}</p>
      <button type="button" className="button" onClick={retry}>
        {t('action.try_again')}
      </button>
    </div>
  )
}
