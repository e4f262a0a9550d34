import { MAX_TEXT } from '@tallyroom/contract/lengths'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isBlank } from '@tallyroom/contract/text/blank'
import { Icon } from '../../../ui/icon.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import { ComposerAdds } from './composer-adds.tsx'
import { mayTakeFocus } from '../../../ui/keyboard/focus.ts'
import { focusAtEnd, type ComposerPlugin, type ComposerHandle, insertText } from './composer-plugin.ts'
import { pastedFiles } from '../../../media/pasted-files.ts'
import { hasRecording } from '../../model/kept-recordings.ts'
import { resetTyping, signalTyping } from '../../model/presence.ts'
import { isRightRoom, shownRoom } from '../../model/rooms/shown-room.ts'
import { drafts, outbox, photos, quotes } from '../../model/chat-session.ts'
import { QuoteBar, useQuote } from '../messages/quote.tsx'
import { usePhotos } from '../use-chat.ts'

const VoiceRecorder = lazy(async () => ({ default: (await import('./voice-recorder.tsx')).VoiceRecorder }))

/** The length from which the counter is shown. */
const COUNTER_FROM = 4800

/** Focus the box only with a mouse: on a phone the soft keyboard would cover the conversation. */
const isMouse = () => matchMedia('(pointer: fine)').matches

export type ComposerProps = {
  /** The room that the text belongs to, even if another room is shown when it is sent. */
  code: string
  extra?: ReactNode
  /** Before the other buttons: who will read the text. */
  mode?: ReactNode
  /** The text box above its buttons, in one frame; otherwise all are in one line. */
  framed?: boolean
  placeholder?: string | undefined
  /** Beside the send button. */
  hint?: ReactNode
  /** Called after Ctrl+Enter has sent the text. */
  onSentNext?: (() => void) | undefined
  /** Files dropped on the room. */
  dropped?: readonly File[]
  autoFocus?: boolean
  plugin?: ComposerPlugin | undefined
}

export const Composer = (props: ComposerProps) => {
  const { code, extra, mode, framed = false, placeholder, hint, onSentNext, dropped, autoFocus = false, plugin } = props
  const { t } = useWords()
  const [text, setText] = useState(() => drafts.of(code))
  const box = useRef<HTMLTextAreaElement>(null)
  const mic = useRef<HTMLButtonElement>(null)
  const [isRecording, setRecording] = useState(false)
  const [caret, setCaret] = useState(text.length)
  const [above, setAbove] = useState<HTMLDivElement | null>(null)
  const keys: ComposerHandle['keys'] = useRef(undefined)
  const sent: ComposerHandle['sent'] = useRef(undefined)
  const preparing = usePhotos(code)
  const add = useCallback(
    (files: readonly File[], onlyImages?: boolean) => photos.add(code, files, { quote: quotes.take(code), onlyImages }),
    [code],
  )
  const quote = useQuote(code)
  const over = text.length - MAX_TEXT
  const blank = isBlank(text)

  // A layout effect, so that the next key goes to this box; the caret goes to the end of the draft.
  useLayoutEffect(() => {
    if (autoFocus && mayTakeFocus() && isMouse()) focusAtEnd(box.current)
  }, [autoFocus])

  useLayoutEffect(() => {
    const element = box.current
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [text])

  // A draft from another device of the same account; text typed here wins.
  useEffect(() => drafts.subscribe(code, () => setText(drafts.of(code))), [code])

  // Somebody chose a message to answer: go on with the text. Not for a quote that was here when the room was opened.
  const quoted = useRef(quote?.message_id)
  useLayoutEffect(() => {
    if (quote && quote.message_id !== quoted.current) focusAtEnd(box.current)
    quoted.current = quote?.message_id
  }, [quote])

  // Not while rendering: where the window's width changes the page, the box before this one keeps it only now.
  useEffect(() => setRecording(hasRecording(code)), [code])

  // After the recorder has closed: until then the form is hidden, and cannot have the focus.
  const wasRecording = useRef(isRecording)
  useLayoutEffect(() => {
    if (wasRecording.current && !isRecording) (isMouse() ? box : mic).current?.focus()
    wasRecording.current = isRecording
  }, [isRecording])

  useEffect(() => {
    if (dropped?.length) add(dropped)
  }, [dropped, add])

  /** The room that was shown when the first letter was typed. */
  const startedIn = useRef<string>(undefined)
  const type = (next: string) => {
    startedIn.current = next ? (startedIn.current ?? shownRoom()) : undefined
    setText(next)
    drafts.keep(code, next)
    if (next) signalTyping(code)
    else resetTyping()
  }
  const send = (): boolean => {
    if (blank || over > 0) return false
    if (!isRightRoom(code, startedIn.current)) {
      // oxlint-disable-next-line no-console -- A bug in this page; the text must not go to another member.
      console.error(
        `Not sent: the text belongs to room ${startedIn.current}, the box to ${code}, the page to ${shownRoom()}.`,
      )
      startedIn.current = undefined
      return false
    }
    outbox.add(code, text, { draft: drafts.versionOf(code), quote: quotes.take(code) })
    sent.current?.()
    startedIn.current = undefined
    drafts.sent(code)
    resetTyping()
    box.current?.focus()
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (keys.current?.(event)) return
    if (event.key === 'Escape' && quote) {
      event.preventDefault()
      quotes.set(code, undefined)
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    // An earlier draft may take the place of the sent text: a key that is held down must not send it unread.
    if (event.repeat) return
    const isSent = send()
    if (isSent && (event.ctrlKey || event.metaKey)) onSentNext?.()
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = pastedFiles(event.clipboardData)
    if (files.length === 0) return
    event.preventDefault()
    add(files)
  }

  return (
    <div className="c-composer" data-framed={framed || undefined}>
      {plugin && <div ref={setAbove} className="c-above" />}
      {preparing.error && (
        <div className="c-refused" role="alert">
          <span>{t(preparing.error)}</span>
          <button
            type="button"
            className="c-plain"
            aria-label={t('action.close')}
            onClick={() => photos.dismissError(code)}
          >
            <Icon name="close" size={16} />
          </button>
        </div>
      )}
      {preparing.busy > 0 && (
        <div className="c-note" role="status">
          {t('message.preparing')}
        </div>
      )}
      {quote && <QuoteBar code={code} quote={quote} />}
      {isRecording && (
        <Suspense>
          <VoiceRecorder
            code={code}
            onSend={({ blob, voice }) =>
              outbox.add(code, '', { source: { blob, name: '', voice }, quote: quotes.take(code) })
            }
            onClose={() => setRecording(false)}
          />
        </Suspense>
      )}
      <form
        className="c-write"
        hidden={isRecording}
        onSubmit={(event) => {
          // React passes on the events of a dialog that was opened from here, although it is elsewhere in the document.
          if (event.target !== event.currentTarget) return
          event.preventDefault()
          send()
        }}
      >
        <textarea
          ref={box}
          className="c-box"
          rows={1}
          dir="auto"
          value={text}
          placeholder={placeholder ?? t('message.write')}
          aria-label={t('message.write')}
          // Whom to: the placeholder is gone while there is a draft.
          aria-description={placeholder}
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
        <div className="c-acts">
          {mode}
          {extra}
          <ComposerAdds onFiles={add}>
            {plugin?.({
              text,
              caret,
              box,
              above,
              write: (from, to, words) => insertText(box.current, from, to, words),
              keys,
              sent,
            })}
          </ComposerAdds>
          <button
            type="button"
            className="c-round c-mic"
            data-key="voice"
            aria-label={t('message.record')}
            title={t('message.record')}
            ref={mic}
            onClick={() => setRecording(true)}
          >
            <Icon name="mic" />
          </button>
          {hint}
          <button
            type="submit"
            className="c-round c-send"
            aria-label={t('message.send')}
            title={t('message.send')}
            disabled={blank || over > 0}
          >
            <Icon name="send" />
            {framed && <span className="c-send-word">{t('message.send')}</span>}
          </button>
        </div>
      </form>
      {text.length >= COUNTER_FROM && (
        <div className="c-count" data-over={over > 0 || undefined} role="status">
          {over > 0 ? t('message.over', { n: over }) : t('message.left', { n: -over })}
        </div>
      )}
    </div>
  )
}
