import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import { stepInMenu } from '../overlay/menu-keys.ts'
import type { RowAction } from './column.ts'
import '../overlay/menu.css'

type Props<Row> = {
  opener: HTMLElement
  actions: readonly RowAction<Row>[]
  onRun: (action: RowAction<Row>) => void
  onClose: () => void
}

const GAP = 4

/** The menu of a row, beside its button and outside the table, which would cut it off. A scroll closes it. */
export function RowMenu<Row>({ opener, actions, onRun, onClose }: Props<Row>) {
  const { t } = useWords()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const menu = box.current
    if (!menu) return
    const { top, bottom, right } = opener.getBoundingClientRect()
    const isBelow = bottom + GAP + menu.offsetHeight <= innerHeight
    menu.style.top = `${isBelow ? bottom + GAP : Math.max(GAP, top - GAP - menu.offsetHeight)}px`
    menu.style.right = `${document.documentElement.clientWidth - right}px`
    menu.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true })
  }, [opener])
  useEffect(() => {
    const outside = ({ target }: PointerEvent) => {
      if (target instanceof Node && !box.current?.contains(target) && !opener.contains(target)) onClose()
    }
    document.addEventListener('pointerdown', outside)
    document.addEventListener('scroll', onClose, true)
    window.addEventListener('resize', onClose)
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('scroll', onClose, true)
      window.removeEventListener('resize', onClose)
    }
  }, [opener, onClose])
  const byKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault()
      opener.focus()
      return onClose()
    }
    stepInMenu(event, box.current)
  }
  return createPortal(
    <div ref={box} className="menu-box row-menu" role="menu" aria-label={t('table.more')} onKeyDown={byKey}>
      {actions.map((action, at) => (
        <button
          key={action.key}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={`menu-item ${action.danger && at > 0 ? 'menu-item-apart' : ''}`}
          aria-label={action.label}
          {...(action.hint ? { 'aria-describedby': `${id}${action.key}` } : {})}
          {...(action.letter ? { 'aria-keyshortcuts': action.letter } : {})}
          onClick={() => onRun(action)}
        >
          <Icon name={action.icon} size={16} />
          <span className="menu-words">
            {action.label}
            {action.hint && <small id={`${id}${action.key}`}>{action.hint}</small>}
          </span>
          {action.letter && <kbd aria-hidden="true">{action.letter}</kbd>}
        </button>
      ))}
    </div>,
    document.body,
  )
}
