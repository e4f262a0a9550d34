import { type MouseEvent, type KeyboardEvent, useState } from 'react'
import { useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { nameOf } from '../../../ui/person.tsx'
import { ColleagueLine } from '../desk/colleague-line.tsx'
import { ownId, type useFilter } from '../state/filter.ts'
import { type Assignee, type BulkAction, useBulk } from './bulk.ts'
import type { useSelection } from './use-selection.ts'

type Selection = ReturnType<typeof useSelection>

/**
 * The select mode of a list. While it is on, a click on a row selects it instead of opening it; with Shift, all rows from
 * the last one on. Escape ends it.
 */
export const useSelectMode = (selection: Selection, codeOf: (roomId: string) => string | undefined) => {
  const [isOn, setOn] = useState(false)
  const end = () => {
    selection.clear()
    setOn(false)
  }
  const byClick = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('.room-link')?.closest('[data-room]') : undefined
    const code = row && codeOf(row.getAttribute('data-room') ?? '')
    // With these keys the browser opens a link elsewhere.
    if (!code || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    selection.toggle(code, event.shiftKey)
  }
  const byKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    end()
  }
  const isShown = isOn || selection.selected.length > 0
  return {
    isOn,
    setOn: (on: boolean) => (on ? setOn(true) : end()),
    end,
    /** For the list's section. Before the links' own handlers. */
    section: {
      'data-selecting': isShown ? 'on' : 'off',
      ...(isOn ? { onClickCapture: byClick } : {}),
      ...(isShown ? { onKeyDown: byKey } : {}),
    },
  }
}

type Act = { action: BulkAction; icon: IconName; word: string }
type Props = {
  by: ReturnType<typeof useFilter>
  status: 1 | 2
  selection: Selection
  acts: readonly Act[]
  /** Whether the selected rooms can be assigned to a colleague. */
  assigns?: boolean
  /** Ends the select mode. */
  onEnd: () => void
  onAction?: (action: BulkAction) => Promise<void>
}

/** What can be done with the selected rooms: below the rows, which it does not move. */
export const BulkBar = ({ by, status, selection, acts, assigns = false, onEnd, onAction }: Props) => {
  const { t } = useWords()
  const { progress, run } = useBulk()
  const total = selection.selected.length
  if (progress) {
    return (
      <div className="room-progress room-bulk" role="status">
        <progress value={progress.n} max={progress.total} aria-label={t('chat.working')} />
        <span className="c-note points">{t('chat.progress', progress)}</span>
      </div>
    )
  }
  if (total === 0) return null
  const act = async (action: BulkAction, assignee?: Assignee) => {
    const target = selection.target({ ...by.filter, status })
    onEnd()
    await onAction?.(action)
    await run(action, target, { total, assignee })
  }
  return (
    <div className="room-bulk" role="group" aria-label={t('chat.selected', { n: total })}>
      {assigns && <AssignMenu onAssign={(assignee) => void act('assign', assignee)} />}
      {acts.map(({ action, icon, word }) => (
        <button key={action} type="button" className="button" onClick={() => void act(action)}>
          <Icon name={icon} size={16} />
          {word}
        </button>
      ))}
    </div>
  )
}

const AssignMenu = ({ onAssign }: { onAssign: (to: Assignee) => void }) => {
  const { t } = useWords()
  const { data } = useCall('desk/colleagues', {})
  const own = ownId()
  const people = data?.data ?? []
  const content = (
    <>
      <Icon name="user" size={16} />
      {t('chat.assign')}
    </>
  )
  return (
    <Menu name={t('chat.assign')} button={{ className: 'button', content }}>
      {people
        .toSorted((a, b) => Number(b.id === own) - Number(a.id === own))
        .map((one) => (
          <button
            key={one.id}
            type="button"
            className="menu-item"
            role="menuitem"
            tabIndex={-1}
            onClick={() => onAssign({ id: one.id, name: nameOf(one) })}
          >
            <ColleagueLine person={one} own={one.id === own} />
          </button>
        ))}
    </Menu>
  )
}
