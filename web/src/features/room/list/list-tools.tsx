import type { RoomSummary } from '@tallyroom/contract/events'
import { useWords } from '../../../i18n/i18n.ts'
import { type BulkAction, useBulk, type useSelection } from './bulk.ts'
import type { useFilter } from './filter.ts'

type Filtering = ReturnType<typeof useFilter>

/** The list's filter and sort order. */
export const Filters = ({ by }: { by: Filtering }) => {
  const { t } = useWords()
  const toggles = [
    ['unread', t('chat.only_unread')],
    ['waiting', t('chat.only_waiting')],
    ['mine', t('chat.only_mine')],
  ] as const
  return (
    <div className="room-filters" role="group" aria-label={t('chat.filters')}>
      {toggles.map(([name, word]) => (
        <button
          key={name}
          type="button"
          className="room-filter"
          aria-pressed={by.filter[name]}
          onClick={() => by.change({ [name]: !by.filter[name] })}
        >
          {word}
        </button>
      ))}
      <button
        type="button"
        className="room-filter"
        aria-pressed={by.longest}
        onClick={() => by.setLongest(!by.longest)}
      >
        {t('chat.longest_first')}
      </button>
    </div>
  )
}

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
        {some === 0 && by.changes > 0 && (
          <button type="button" className="button room-changes" onClick={by.apply}>
            {t('chat.update_list', { n: by.changes })}
          </button>
        )}
        {some === 0 && by.changes === 0 && (
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
