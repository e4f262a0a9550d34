import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type Ref,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { MAX_TEXT } from '@tallyroom/contract/lengths'
import { Icon } from '../../../ui/icon.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import { ComposerAdds } from './composer-adds.tsx'
import { type ComposerPlugin, type ComposerHandle, insertText } from './composer-plugin.ts'
import { useBox, useDraftText, useRecording } from './use-box.ts'
import { pastedFiles } from '../../../media/pasted-files.ts'
import { outbox, photos, quotes } from '../../model/chat-session.ts'
import { QuoteBar, useQuote } from '../messages/quote.tsx'
import { usePhotos } from '../use-chat.ts'

const VoiceRecorder = lazy(async () => ({ default: (await import('./voice-recorder.tsx')).VoiceRecorder }))

/** The length from which the counter is shown. */
const COUNTER_FROM = 4800

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

/** Where a message is written: its text, what it answers, files and voice notes. */
export const Composer = (props: ComposerProps) => {
  const { code, extra, mode, framed = false, placeholder, hint, onSentNext, dropped, autoFocus = false, plugin } = props
  const { t } = useWords()
  const { text, canSend, type, send } = useDraftText(code)
  const [caret, setCaret] = useState(text.length)
  const [above, setAbove] = useState<HTMLDivElement | null>(null)
  const keys: ComposerHandle['keys'] = useRef(undefined)
  const sent: ComposerHandle['sent'] = useRef(undefined)
  const quote = useQuote(code)
  const box = useBox(text, autoFocus, quote)
  const { isRecording, setRecording, mic } = useRecording(code, box)
  const add = useCallback(
    (files: readonly File[], onlyImages?: boolean) => photos.add(code, files, { quote: quotes.take(code), onlyImages }),
    [code],
  )
  useEffect(() => {
    if (dropped?.length) add(dropped)
  }, [dropped, add])

  const sendText = (): boolean => {
    const isSent = send(() => sent.current?.())
    if (isSent) box.current?.focus()
    return isSent
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
    const isSent = sendText()
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
      <Preparing code={code} />
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
          sendText()
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
          // Names the recipient, because the placeholder is gone while there is a draft.
          aria-description={placeholder}
          aria-invalid={text.length > MAX_TEXT}
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
          <RecordButton buttonRef={mic} onPress={() => setRecording(true)} />
          {hint}
          <SendButton isWorded={framed} disabled={!canSend} />
        </div>
      </form>
      {text.length >= COUNTER_FROM && <Count left={MAX_TEXT - text.length} />}
    </div>
  )
}

type RecordButtonProps = { buttonRef: Ref<HTMLButtonElement>; onPress: () => void }

const RecordButton = ({ buttonRef, onPress }: RecordButtonProps) => {
  const { t } = useWords()
  return (
    <button
      type="button"
      className="c-round c-mic"
      data-key="voice"
      aria-label={t('message.record')}
      title={t('message.record')}
      ref={buttonRef}
      onClick={onPress}
    >
      <Icon name="mic" />
    </button>
  )
}

const SendButton = ({ isWorded, disabled }: { isWorded: boolean; disabled: boolean }) => {
  const { t } = useWords()
  return (
    <button
      type="submit"
      className="c-round c-send"
      aria-label={t('message.send')}
      title={t('message.send')}
      disabled={disabled}
    >
      <Icon name="send" />
      {isWorded && <span className="c-send-word">{t('message.send')}</span>}
    </button>
  )
}

/** Photos that are being made smaller, and one that cannot be sent. */
const Preparing = ({ code }: { code: string }) => {
  const { t } = useWords()
  const { busy, error } = usePhotos(code)
  return (
    <>
      {error && (
        <div className="c-refused" role="alert">
          <span>{t(error)}</span>
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
      {busy > 0 && (
        <div className="c-note" role="status">
          {t('message.preparing')}
        </div>
      )}
    </>
  )
}

/** How many more characters the text may have. */
const Count = ({ left }: { left: number }) => {
  const { t } = useWords()
  return (
    <div className="c-count" data-over={left < 0 || undefined} role="status">
      {left < 0 ? t('message.over', { n: -left }) : t('message.left', { n: left })}
    </div>
  )
}
