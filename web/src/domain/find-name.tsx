import { MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { cutText } from '@tallyroom/contract/text/cut-text'
import { roleWords } from '@tallyroom/contract/words/code-words'
import type { Answer } from '@tallyroom/contract'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import { actionsOf, useMenu } from '../api/use-menu.ts'
import { useCall } from '../api/use-call.ts'
import { useWords } from '../i18n/i18n.ts'
import { useDebounced } from '../lib/use-debounced.ts'
import { useTextLimit } from '../ui/control/use-text-limit.ts'
import { takeFocus } from '../ui/keyboard/focus.ts'
import { Icon } from '../ui/icon.tsx'
import { nameOf } from '../ui/person.tsx'
import './find-name.css'

type Hit = Answer<'tree/find'>['data'][number]
type Props = {
  label: string
  autoFocus?: boolean
  /** Which accounts may be found; all by default. */
  only?: (hit: Hit) => boolean
  onFound: (id: number, name: string) => void
  /** The text has been changed after a choice. */
  onChange?: () => void
}

/** Finds an account of the tree by its name. The field keeps the name that was chosen. */
export const FindName = ({ label, autoFocus = false, only = () => true, onFound, onChange }: Props) => {
  const { t } = useWords()
  const id = useId()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const [isHasty, setHasty] = useState(false)
  const wanted = cutText(useDebounced(text.trim()), MAX_TYPED_NAME)
  const found = useCall('tree/find', { text: wanted || ' ' }, { enabled: wanted !== '', meta: { optional: true } })
  const { pages } = useMenu()
  const isMasked = pages?.some((page) => actionsOf(page).includes('encryption_username')) ?? false
  const hits = wanted === '' ? [] : (found.data?.data.filter(only) ?? [])
  const isShown = isOpen && text.trim() !== ''
  const isKnown = wanted !== '' && !found.isFetching && found.data !== undefined
  const choose = (hit: Hit | undefined) => {
    if (!hit) return
    setOpen(false)
    setText(nameOf(hit))
    onFound(hit.id, nameOf(hit))
  }
  const takeFirst = useEffectEvent(() => {
    setHasty(false)
    choose(hits[0])
  })
  useEffect(() => {
    // Enter was pressed before the answer came.
    if (isHasty && isKnown) takeFirst()
  }, [isHasty, isKnown])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isShown) {
      setOpen(false)
      // It would also close the dialog around the field.
      event.stopPropagation()
    }
    // Enter belongs to the form around the field while the list is closed.
    else if (event.key === 'Enter' && isShown) {
      if (isKnown) choose(hits[at])
      else setHasty(true)
    } else if (event.key === 'ArrowDown') {
      setOpen(true)
      if (isShown && hits.length) setAt((at + 1) % hits.length)
    } else if (event.key === 'ArrowUp' && hits.length) setAt((at + hits.length - 1) % hits.length)
    else return
    event.preventDefault()
  }
  const limited = useTextLimit<HTMLInputElement>({
    maxLength: MAX_TYPED_NAME,
    value: text,
    onChange: ({ target }) => {
      setText(target.value)
      setAt(0)
      setHasty(false)
      setOpen(true)
      onChange?.()
    },
  })
  return (
    <div className="tree-find">
      <Icon name="search" size={16} />
      <input
        className="input"
        type="search"
        role="combobox"
        ref={autoFocus ? takeFocus : undefined}
        aria-label={label}
        placeholder={label}
        aria-expanded={isShown}
        aria-controls={id}
        aria-autocomplete="list"
        {...(isShown && hits[at] ? { 'aria-activedescendant': `${id}-${hits[at].id}` } : {})}
        autoComplete="off"
        value={text}
        {...limited}
        onFocus={() => setOpen(true)}
        onBlur={() => {
          setHasty(false)
          setOpen(false)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} className="tree-hits" role="listbox" aria-label={label} hidden={!isShown}>
        {isShown &&
          hits.map((hit, index) => (
            <div
              key={hit.id}
              id={`${id}-${hit.id}`}
              className="tree-hit"
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              // Before the field loses the focus, which closes the list.
              onPointerDown={(event) => {
                event.preventDefault()
                choose(hit)
              }}
            >
              <span className="tree-hit-name">
                <bdi>{nameOf(hit)}</bdi> {hit.nickname && <bdi className="tree-quiet">({hit.username})</bdi>}
              </span>
              <span className="tree-quiet">
                {t(roleWords[hit.role_id] ?? 'role.member')}
                {hit.upline && <span>{` · ${t('tree.members_of', { name: hit.upline })}`}</span>}
              </span>
            </div>
          ))}
      </div>
      {isShown && (
        <p className={hits.length ? 'visually-hidden' : 'tree-hits tree-none'} role="status">
          {found.error?.message ??
            (!isKnown
              ? t('table.loading')
              : hits.length
                ? t('palette.count', { n: hits.length })
                : t(isMasked ? 'tree.whole_name' : 'tree.none_found'))}
        </p>
      )}
    </div>
  )
}
