import type { Input } from '@tallyroom/contract'
import type { RoomSummary } from '@tallyroom/contract/events'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { resetTyping, signalTyping } from '../../../chat/model/presence.ts'
import { isBlank } from '@tallyroom/contract/blank'
import { focusAtEnd } from '../../../chat/view/composer/composer-plugin.ts'
import { whisperKeyOf } from '../../../chat/model/drafts.ts'
import { asides, drafts } from '../../../chat/model/chat-session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { ESCAPE } from '../../../ui/keyboard/key-names.ts'
import { ModeSwitch } from './mode-switch.tsx'
import { useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'

/** Replaces the composer to write to colleagues. It has its own draft, so that a whisper is never sent to the member. */
export const WhisperBox = ({ room, onBack }: { room: RoomSummary; onBack: () => void }) => {
  const { t } = useWords()
  const { code } = room
  const key = whisperKeyOf(code)
  const [text, setText] = useState(() => drafts.of(key))
  const box = useRef<HTMLTextAreaElement>(null)
  const going = useRef<Input<'desk/whisper'>>(undefined)
  const whisper = useSend('desk/whisper')
  const blank = isBlank(text) || text.length > 5000
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) focusAtEnd(box.current)
  }, [])
  useEffect(() => drafts.subscribe(key, () => setText(drafts.of(key))), [key])
  const type = (next: string) => {
    setText(next)
    drafts.keep(key, next)
    if (next) signalTyping(code, true)
    else resetTyping()
  }
  const send = () => {
    if (blank || whisper.isPending) return
    // A retry sends the identical input, so that the server stores the whisper once.
    if (going.current?.content !== text) going.current = { code, content: text, draft: drafts.versionOf(key) }
    const sent = going.current
    whisper.mutate(sent, {
      onSuccess: (said) => {
        asides.take(code, [said])
        going.current = undefined
        // Keep text that was typed meanwhile.
        if (drafts.of(key) === sent.content) {
          drafts.sent(key)
          resetTyping()
        }
      },
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      return onBack()
    }
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return
    event.preventDefault()
    send()
  }
  return (
    <div className="c-composer" data-framed data-mode="note">
      <p className="c-readers">
        <Icon name="lock" size={14} />
        <span>{t('desk.note_readers', { name: room.name })}</span>
      </p>
      {whisper.error && (
        <div className="c-refused" role="alert">
          {whisper.error.message}
        </div>
      )}
      <form
        className="c-write"
        onSubmit={(event) => {
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
          placeholder={t('desk.whisper_write')}
          aria-label={t('desk.whisper_write')}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="c-acts">
          <ModeSwitch isNote onChange={(isNote) => !isNote && onBack()} />
          <span className="c-send-next" aria-hidden="true">
            <kbd>{ESCAPE}</kbd> {t('desk.back_to_reply')}
          </span>
          <button
            type="submit"
            className="c-round c-send"
            aria-label={t('desk.whisper_send')}
            disabled={blank || whisper.isPending}
          >
            <Icon name="check" />
            <span className="c-send-word">{t('desk.whisper_send')}</span>
          </button>
        </div>
      </form>
    </div>
  )
}
