import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { WordKey } from '@tallyroom/locales'
import { Icon } from '../ui/icon.tsx'
import { useWords } from '../words.ts'
import { type Helper, type Pen, typeInto } from './pen.ts'
import { typed, typing } from './presence.ts'
import { drafts, outbox } from './talk.ts'

/** The server takes no more; said from here on. */
const LONGEST = 5000
const NEAR = 4800

/** Loaded when the first photo is chosen. */
const loadMedia = () => import('../media/resize.ts')
const whyNot = (error: unknown): WordKey => {
  if (!(error instanceof Error && 'why' in error)) return 'network.failed'
  return error.why === 'too_large' ? 'message.image_too_large' : 'message.not_an_image'
}

type Props = {
  /** The room all of this belongs to, whatever is shown when it is done. */
  code: string
  extra?: ReactNode
  /** A file dropped on the room. */
  dropped?: readonly File[]
  autoFocus?: boolean
  helper?: Helper | undefined
}

export const Composer = ({ code, extra, dropped, autoFocus = false, helper }: Props) => {
  const { t } = useWords()
  const [text, setText] = useState(() => drafts.of(code))
  const box = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const [caret, setCaret] = useState(text.length)
  const [above, setAbove] = useState<HTMLDivElement | null>(null)
  const keys: Pen['keys'] = useRef(undefined)
  const sent: Pen['sent'] = useRef(undefined)
  const images = useImages(code)
  const over = text.length - LONGEST
  const blank = !/\S/u.test(text)

  // A page with a keyboard of its own is ready to be typed on; on a phone the soft one would cover the talk.
  useEffect(() => {
    if (autoFocus && matchMedia('(pointer: fine)').matches) box.current?.focus()
  }, [autoFocus])

  useLayoutEffect(() => {
    const element = box.current
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [text])

  // Typed on another device of the same account; what is typed here comes first.
  useEffect(() => drafts.subscribe(code, () => setText(drafts.of(code))), [code])

  const { add } = images
  useEffect(() => {
    if (dropped?.length) add(dropped)
  }, [dropped, add])

  const type = (next: string) => {
    setText(next)
    drafts.keep(code, next)
    if (next) typing(code)
    else typed()
  }
  const send = () => {
    if (blank || over > 0) return
    outbox.add(code, text, { draft: drafts.versionOf(code) })
    sent.current?.()
    drafts.sent(code)
    setText('')
    typed()
    box.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends the choice of a word in Chinese and its like: 229 is what older browsers say then.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || keys.current?.(event)) return
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    send()
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    // A table copies itself as words and as a picture: the words are meant.
    if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    add(files)
  }

  return (
    <div className="c-composer">
      {helper && <div ref={setAbove} className="c-above" />}
      {images.refused && (
        <div className="c-refused" role="alert">
          <span>{images.refused}</span>
          <button type="button" className="c-plain" aria-label={t('action.close')} onClick={images.forgive}>
            <Icon name="close" size={16} />
          </button>
        </div>
      )}
      {images.busy && (
        <div className="c-note" role="status">
          {t('message.preparing')}
        </div>
      )}
      <form
        className="c-write"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <input
          ref={picker}
          type="file"
          accept="image/*"
          multiple
          hidden
          aria-label={t('message.add_image')}
          onChange={(event) => {
            add([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <button
          type="button"
          className="c-round"
          aria-label={t('message.add_image')}
          title={t('message.add_image')}
          onClick={() => picker.current?.click()}
        >
          <Icon name="image" />
        </button>
        {extra}
        {helper?.({
          text,
          caret,
          box,
          above,
          write: (from, to, words) => typeInto(box.current, from, to, words),
          keys,
          sent,
        })}
        <textarea
          ref={box}
          className="c-box"
          rows={1}
          dir="auto"
          value={text}
          placeholder={t('message.write')}
          aria-label={t('message.write')}
          aria-invalid={over > 0}
          enterKeyHint="send"
          onChange={(event) => {
            type(event.target.value)
            setCaret(event.target.selectionEnd)
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionEnd)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <button
          type="submit"
          className="c-round c-send"
          aria-label={t('message.send')}
          title={t('message.send')}
          disabled={blank || over > 0}
        >
          <Icon name="send" />
        </button>
      </form>
      {text.length >= NEAR && (
        <div className="c-count" data-over={over > 0 || undefined} role="status">
          {over > 0 ? t('message.over', { n: over }) : t('message.left', { n: -over })}
        </div>
      )}
    </div>
  )
}

/** Files on their way to becoming messages of the room in which they were chosen. */
const useImages = (code: string) => {
  const { t } = useWords()
  const [busy, setBusy] = useState(0)
  const [refused, setRefused] = useState('')
  const words = useRef(t)
  words.current = t

  const [add] = useState(() => (files: readonly File[]) => {
    const all = async () => {
      setRefused('')
      setBusy((n) => n + 1)
      for (const file of files) {
        try {
          const { prepareImage } = await loadMedia()
          const image = await prepareImage(file)
          outbox.add(code, image.content, { image: image.width ? image : undefined })
        } catch (error) {
          setRefused(words.current(whyNot(error)))
        }
      }
      setBusy((n) => n - 1)
    }
    void all()
  })
  return { add, busy: busy > 0, refused, forgive: () => setRefused('') }
}
