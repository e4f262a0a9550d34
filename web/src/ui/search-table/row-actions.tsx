import { type KeyboardEvent, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import type { RowAction } from './column.ts'
import { RowMenu } from './row-menu.tsx'
import './row-actions.css'

type Props<Row> = {
  row: Row
  actions: readonly RowAction<Row>[]
  /** How many of them are buttons with their words. */
  words: 1 | 2
  hasIcons: boolean
  /** The element that says which row it is. */
  nameId: string
}

/**
 * When a focused button disappears (such as "more" once its only action is done), moves the focus to the button beside
 * it, else to the table.
 */
const passFocusOn = (button: HTMLButtonElement | null) => () => {
  if (button !== document.activeElement) return
  const near = button?.previousElementSibling ?? button?.nextElementSibling ?? button?.closest('.table-scroll')
  if (near instanceof HTMLElement) near.focus({ preventScroll: true })
}

/** The actions of a row: the first ones as buttons with their words, the others behind "more". */
export function RowActions<Row>({ row, actions, words, hasIcons, nameId }: Props<Row>) {
  const { t } = useWords()
  /** The button of the open menu. */
  const [opener, setOpener] = useState<HTMLElement>()
  const offered = actions.filter(({ hidden }) => !hidden?.(row))
  const rest = offered.slice(words)
  const byLetter = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.repeat) return
    const action = offered.find(({ letter }) => letter && event.code === `Key${letter}`)
    if (!action) return
    event.preventDefault()
    run(action)
  }
  /** A dialog returns the focus to what had it: the menu's entry is gone by then. */
  const run = (action: RowAction<Row>) => {
    opener?.focus()
    setOpener(undefined)
    action.onSelect(row)
  }
  if (offered.length === 0) return null
  return (
    <span className="row-actions" onKeyDown={byLetter}>
      {offered.slice(0, words).map(({ key, label, icon, hint, letter, danger, onSelect }, at) => (
        <button
          key={key}
          ref={passFocusOn}
          type="button"
          data-open={at === 0 || undefined}
          className={`button row-action ${danger ? 'button-danger' : ''}`}
          aria-describedby={nameId}
          {...(hint ? { 'data-tip': hint } : {})}
          {...(letter ? { 'aria-keyshortcuts': letter } : {})}
          onClick={() => onSelect(row)}
        >
          {hasIcons && <Icon name={icon} size={16} />}
          <span>{label}</span>
        </button>
      ))}
      {rest.length > 0 && (
        <button
          ref={passFocusOn}
          type="button"
          className="icon-button"
          aria-label={t('table.more')}
          aria-describedby={nameId}
          data-tip={t('table.more')}
          aria-haspopup="menu"
          aria-expanded={opener !== undefined}
          onClick={({ currentTarget }) => setOpener(opener ? undefined : currentTarget)}
        >
          <Icon name="more" />
        </button>
      )}
      {opener && <RowMenu opener={opener} actions={rest} onRun={run} onClose={() => setOpener(undefined)} />}
    </span>
  )
}
