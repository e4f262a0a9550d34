import { MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useTextLimit } from '../../ui/control/use-text-limit.ts'
import { Icon } from '../../ui/icon.tsx'
import { useModal } from '../../ui/overlay/modal.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { useWords } from '../../i18n/i18n.ts'
import type { Choice, PaletteSource } from '../../ui/palette-source.ts'
import { useChoices } from './choices.ts'
import { remember } from './recent.ts'
import './palette.css'

type Props = {
  sources: readonly PaletteSource[]
  onOpen: (part: NonNullable<Choice['opens']>) => void
  onClose: () => void
}

/**
 * Finds pages, rooms, accounts and commands by a few letters. A native dialog: it traps the focus and restores it.
 * @public knip does not see that palette-host.tsx takes it from `import()`.
 */
export const Palette = ({ sources, onOpen, onClose }: Props) => {
  const { t } = useWords()
  const { history } = useRouter()
  const id = useId()
  const dialog = useModal()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<string>()
  const text = typed.trim()
  const { groups, searching, error } = useChoices(text, sources)
  const all = groups.flatMap(({ choices }) => choices)
  const at = Math.max(
    0,
    all.findIndex(({ key }) => key === chosen),
  )
  const current = all[at]
  const optionId = (choice: Choice) => `${id}${all.indexOf(choice)}`
  const currentId = current && optionId(current)

  useEffect(() => {
    if (currentId) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' })
  }, [currentId])

  const close = () => dialog.current?.close()
  const go = (choice: Choice) => {
    close()
    if (choice.run) return choice.run()
    if (choice.opens) return onOpen(choice.opens)
    remember(choice)
    history.push(choice.href)
  }
  const byKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && all.length > 0) setChosen(all[(at + step + all.length) % all.length]?.key)
    else if (event.key === 'Enter' && current) go(current)
    else return
    event.preventDefault()
  }
  const limited = useTextLimit<HTMLInputElement>({
    maxLength: MAX_TYPED_NAME,
    value: typed,
    onChange: ({ target }) => {
      setTyped(target.value)
      setChosen(undefined)
    },
  })
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t('palette.title')}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <div className="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          placeholder={t('palette.hint')}
          aria-label={t('palette.title')}
          aria-expanded={all.length > 0}
          aria-controls={`${id}list`}
          aria-autocomplete="list"
          aria-activedescendant={currentId}
          value={typed}
          {...limited}
          onKeyDown={byKey}
        />
        <button type="button" className="icon-button" aria-label={t('action.close')} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <div id={`${id}list`} className="palette-list" role="listbox" aria-label={t('palette.title')}>
        {groups.map(({ name, choices }) => (
          <div key={name} role="group" aria-label={name}>
            <p className="palette-group" aria-hidden="true">
              {name}
            </p>
            {choices.map((choice) => (
              <div
                key={choice.key}
                id={optionId(choice)}
                className="palette-choice"
                role="option"
                aria-selected={choice === current}
                // One mark for pointer and keys. The list scrolling under a pointer at rest chooses nothing.
                onPointerMove={() => setChosen(choice.key)}
                onClick={() => go(choice)}
              >
                <Icon name={choice.icon} />
                <bdi className="palette-title">{choice.title}</bdi>
                {choice.detail && <bdi className="palette-detail">{choice.detail}</bdi>}
                {choice.keys && <kbd>{choice.keys}</kbd>}
              </div>
            ))}
          </div>
        ))}
      </div>
      {error && <Alert text={error.message} />}
      <p className={all.length > 0 && !searching ? 'visually-hidden' : 'palette-state'} role="status">
        {searching ? t('search.looking') : all.length > 0 ? t('palette.count', { n: all.length }) : t('search.none')}
      </p>
    </dialog>
  )
}
