import type { RoomSummary } from '@tallyroom/contract/events'
import { useMemo } from 'react'
import { rooms } from '../../../chat/model/chat-session.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { type BulkAction, useBulk, type useSelection } from './bulk.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { countViews, type useFilter } from '../state/filter.ts'

type Filtering = ReturnType<typeof useFilter>

const views = [
  ['all', 'chat.all'],
  ['waiting', 'chat.only_waiting'],
  ['unread', 'chat.only_unread'],
  ['mine', 'chat.only_mine'],
] as const

/** The views of the list, each with how many rooms it has. */
export const Views = ({ by, list }: { by: Filtering; list: readonly RoomSummary[] }) => {
  const { t } = useWords()
  const { view, setView } = by
  const { text } = by.filter
  const counts = useMemo(() => countViews(list, rooms.counts(1), text), [list, text])
  return (
    <div className="room-filters" role="group" aria-label={t('chat.filters')}>
      {views.map(([name, word]) => (
        <button
          key={name}
          type="button"
          className="room-filter"
          aria-pressed={view === name}
          // The browser shows only a part of one that is cut off.
          onFocus={({ currentTarget }) => currentTarget.scrollIntoView({ inline: 'nearest', block: 'nearest' })}
          onClick={() => setView(name)}
        >
          {t(word)} <span className="points">{counts[name]}</span>
        </button>
      ))}
    </div>
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

type Props = {
  by: Filtering
  status: 1 | 2
  selection: ReturnType<typeof useSelection>
  actions: readonly (readonly [BulkAction, string])[]
  onAction?: (action: BulkAction) => Promise<void>
}

/** Selects all matching rooms, not only the visible ones, and offers the bulk actions. */
export const BulkToolbar = ({ by, status, selection, actions, onAction }: Props) => {
  const { t } = useWords()
  const { progress, run } = useBulk()
  const { shown, filter } = by
  const some = selection.selected.length
  const act = async (action: BulkAction) => {
    const target = selection.target({ ...filter, status })
    selection.clear()
    await onAction?.(action)
    await run(action, target, some)
  }
  return (
    <>
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
        {some > 0 &&
          actions.map(([action, word]) => (
            <button
              key={action}
              type="button"
              className="button"
              disabled={progress !== undefined}
              onClick={() => void act(action)}
            >
              {word}
            </button>
          ))}
      </div>
      {progress && (
        <div className="room-progress" role="status">
          <progress value={progress.n} max={progress.total} aria-label={t('chat.working')} />
          <span className="c-note points">{t('chat.progress', progress)}</span>
        </div>
      )}
    </>
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
      onChange={(event) => selection.select(room.code, event.target.checked)}
    />
  )
}
