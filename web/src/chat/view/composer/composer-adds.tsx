import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import './composer-adds.css'

type Props = {
  onFiles: (files: readonly File[], onlyImages: boolean) => void
  /** Further buttons with the class `c-round`, with their words in a `c-add-word`. */
  children: ReactNode
}

/**
 * What can be added to a message. Where there is space each is an icon in the line; on a phone all are behind one "+",
 * with their words.
 */
export const ComposerAdds = ({ onFiles, children }: Props) => {
  const { t } = useWords()
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const plus = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    box.current?.querySelector<HTMLElement>('.c-adds-list button')?.focus()
    const outside = ({ target }: PointerEvent) => {
      if (target instanceof Node && !box.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [isOpen])
  const byKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    event.preventDefault()
    plus.current?.focus()
    setOpen(false)
  }
  const close = ({ currentTarget }: MouseEvent) => {
    // What is hidden loses the focus to the page.
    if (isOpen && currentTarget.contains(document.activeElement)) plus.current?.focus()
    setOpen(false)
  }
  return (
    <div ref={box} className="c-adds" onKeyDown={byKey}>
      <button
        ref={plus}
        type="button"
        className="c-round c-plus"
        aria-label={t('message.add')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="plus" size={22} />
      </button>
      <div className="c-adds-list" data-open={isOpen || undefined} onClick={close}>
        <Picker name="photo" onFiles={onFiles} />
        <Picker name="file" onFiles={onFiles} />
        {children}
      </div>
    </div>
  )
}

const pickers = {
  photo: { word: 'message.add_image', icon: 'image', accept: 'image/*' },
  file: { word: 'message.add_file', icon: 'clip', accept: 'application/pdf,audio/*,image/*' },
} as const

const Picker = ({ name, onFiles }: { name: keyof typeof pickers; onFiles: Props['onFiles'] }) => {
  const { t } = useWords()
  const input = useRef<HTMLInputElement>(null)
  const { word, icon, accept } = pickers[name]
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple
        hidden
        aria-label={t(word)}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])], name === 'photo')
          event.target.value = ''
        }}
      />
      <button
        type="button"
        // Not `c-file`: that is a file in a bubble.
        className={name === 'photo' ? 'c-round c-photo' : 'c-round'}
        data-key={name}
        aria-label={t(word)}
        title={t(word)}
        onClick={() => input.current?.click()}
      >
        <Icon name={icon} />
        <span className="c-add-word">{t(word)}</span>
      </button>
    </>
  )
}
