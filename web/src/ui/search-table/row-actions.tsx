import { type KeyboardEvent, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import type { RowAction } from './column.ts'
import { RowMenu } from './row-menu.tsx'
import './row-actions.css'

/** `nameId`: of the element that says which row it is. */
type Props<Row> = { row: Row; actions: readonly RowAction<Row>[]; dense: boolean; nameId: string }

/**
 * When a focused button disappears (such as "more" once its only action is done), moves the focus to the button beside
 * it, else to the table.
 */
const passFocusOn = (button: HTMLButtonElement | null) => () => {
  if (button !== document.activeElement) return
  const near = button?.previousElementSibling ?? button?.nextElementSibling ?? button?.closest('.table-scroll')
  if (near instanceof HTMLElement) near.focus({ preventScroll: true })
}

/** The actions of a row: the first as a button with its word, the others behind "more". */
export function RowActions<Row>({ row, actions, dense, nameId }: Props<Row>) {
  const { t } = useWords()
  /** The button of the open menu. */
  const [opener, setOpener] = useState<HTMLElement>()
  const [main, ...rest] = actions.filter(({ hidden }) => !hidden?.(row))
  const byLetter = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.repeat) return
    const action = [main, ...rest].find((one) => one?.letter && event.code === `Key${one.letter}`)
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
  if (!main) return null
  return (
    <span className="row-actions" onKeyDown={byLetter}>
      <button
        ref={passFocusOn}
        type="button"
        data-open
        className="button row-action"
        aria-describedby={nameId}
        {...(main.hint ? { 'data-tip': main.hint } : {})}
        {...(main.letter ? { 'aria-keyshortcuts': main.letter } : {})}
        onClick={() => main.onSelect(row)}
      >
        {!dense && <Icon name={main.icon} size={16} />}
        <span>{main.label}</span>
      </button>
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
