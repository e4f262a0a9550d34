import type { RoomSummary } from '@tallyroom/contract/events'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { useCall } from '../../../api/use-call.ts'
import { rooms } from '../../../chat/model/chat-session.ts'
import { longestWait } from '../../../chat/model/rooms/list-index.ts'
import { useOwnState } from '../../../chat/view/colleagues.ts'
import { useRooms } from '../../../chat/view/use-chat.ts'
import { WaitingTime } from '../../../chat/view/waiting-time.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { countViews, filterBy, noFilter, saveView, type useFilter, type View } from '../state/filter.ts'
import type { useSelection } from './use-selection.ts'

type Filtering = ReturnType<typeof useFilter>

const views = [
  ['all', 'chat.all'],
  ['queue', 'chat.queue'],
  ['waiting', 'chat.only_waiting'],
  ['unread', 'chat.only_unread'],
  ['mine', 'chat.only_mine'],
  ['snoozed', 'later.snoozed'],
] as const

/** The browser shows only a part of one that is cut off. */
const showWhole = ({ currentTarget }: { currentTarget: HTMLElement }) =>
  currentTarget.scrollIntoView({ inline: 'nearest', block: 'nearest' })

type ViewsProps = {
  /** The view that is shown. */
  here: View | 'ai' | 'hidden'
  /** What is searched for in the inbox: its counts are of what is found. */
  text?: string
  onChoose?: (view: View) => void
}

/** The views of the inbox, on all of its lists: those of the shown rooms with how many each has, the bot's, and the hidden ones. */
export const Views = ({ here, text = '', onChoose }: ViewsProps) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const { list } = useRooms(1)
  const bots = useRooms(3).list.length
  const own = useCall('user/view', {})
  const counts = useMemo(() => countViews(list, rooms.counts(1), text), [list, text])
  // Most groups snooze nothing, and have no queue: there Waiting is the same.
  const assigns = typeof useOwnState()?.capacity === 'number'
  const isOffered = ([name]: (typeof views)[number]) =>
    here === name || (name === 'queue' ? assigns : name !== 'snoozed' || counts.snoozed > 0)
  const choose = (view: View) => {
    if (onChoose) return onChoose(view)
    saveView(view)
    void navigate({ to: '/chat/messaging' })
  }
  const box = useRef<HTMLDivElement>(null)
  // Of a narrow list the last view is beyond the edge.
  useEffect(() => {
    box.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [])
  const link = (isHere: boolean) => ({
    className: 'room-filter',
    onFocus: showWhole,
    ...(isHere ? { 'aria-current': 'page' as const } : {}),
  })
  return (
    <div ref={box} className="room-filters" role="group" aria-label={t('chat.filters')}>
      {views.filter(isOffered).map(([name, word]) => (
        <button
          key={name}
          type="button"
          className="room-filter"
          aria-pressed={here === name}
          onFocus={showWhole}
          onClick={() => choose(name)}
        >
          {t(word)} {name === 'queue' ? <Queue text={text} /> : <span className="points">{counts[name]}</span>}
        </button>
      ))}
      {own.data?.chat_ai_bot_visible === 1 && (
        <Link to="/chat/messaging" search={{ ai: 1 }} {...link(here === 'ai')}>
          {t('chat.ai')} <span className="points">{bots}</span>
        </Link>
      )}
      <Link to="/chat/hide" {...link(here === 'hidden')}>
        {t('chat.hidden_short')}
      </Link>
    </div>
  )
}

/** How many wait for somebody to take them, and the longest wait among them. */
const Queue = ({ text }: { text: string }) => {
  const { list } = useRooms(1)
  const fits = filterBy({ ...noFilter, text, queue: true })
  const queued = list.filter(fits)
  const since = longestWait(queued)?.waiting_since
  return (
    <>
      <span className="points">{queued.length}</span> {since && <WaitingTime since={since} short />}
    </>
  )
}

type ListButtonProps = { icon: IconName; word: string; isOn: boolean; onChange: (isOn: boolean) => void }

/** A way of showing the list that is on or off. */
export const ListButton = ({ icon, word, isOn, onChange }: ListButtonProps) => (
  <button
    type="button"
    className="c-round"
    aria-label={word}
    data-tip={word}
    aria-pressed={isOn}
    onClick={() => onChange(!isOn)}
  >
    <Icon name={icon} />
  </button>
)

/** Selects all matching rooms, not only the visible ones; and says what has moved meanwhile. */
export const SelectAll = ({ by, selection }: { by: Filtering; selection: ReturnType<typeof useSelection> }) => {
  const { t } = useWords()
  const { shown } = by
  const some = selection.selected.length
  return (
    <div className="room-actions">
      <label>
        <input
          type="checkbox"
          checked={selection.isAll}
          disabled={shown.length === 0}
          ref={(box) => {
            if (box) box.indeterminate = !selection.isAll && some > 0
          }}
          onChange={(event) => selection.selectAll(event.target.checked)}
        />
        {some ? t('chat.selected', { n: some }) : t('chat.select_all')}
      </label>
      {some === 0 && by.moves > 0 && (
        <button type="button" className="button room-changes" onClick={by.apply}>
          {t('chat.update_list', { n: by.moves })}
        </button>
      )}
      {some === 0 && by.moves === 0 && (
        <span className="c-note points">{t('chat.room_count', { n: shown.length })}</span>
      )}
    </div>
  )
}

export const SelectBox = ({ room, selection }: { room: RoomSummary; selection: ReturnType<typeof useSelection> }) => {
  const { t } = useWords()
  return (
    <input
      type="checkbox"
      className="room-choose"
      aria-label={t('chat.select', { name: room.name })}
      checked={selection.isSelected(room.code)}
      onChange={({ nativeEvent }) => selection.toggle(room.code, (nativeEvent as unknown as MouseEvent).shiftKey)}
    />
  )
}
