import { MAX_TEXT } from '@tallyroom/contract/lengths'
import type { Mention } from '@tallyroom/contract/text/mentions'
import type { Input } from '@tallyroom/contract'
import type { RoomSummary } from '@tallyroom/contract/events'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useLostSince } from '../../../api/connection.ts'
import { resetTyping, signalTyping } from '../../../chat/model/presence.ts'
import { isBlank } from '@tallyroom/contract/text/blank'
import { focusAtEnd } from '../../../chat/view/composer/composer-plugin.ts'
import { whisperKeyOf } from '../../../chat/model/drafts.ts'
import { asides, drafts } from '../../../chat/model/chat-session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { ESCAPE } from '../../../ui/keyboard/key-names.ts'
import { ModeSwitch } from './mode-switch.tsx'
import { type CallError, NO_ANSWER, newRequestId } from '../../../api/call.ts'
import { useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { useMentions } from '../../../chat/view/mention/use-mentions.tsx'

/** Notes that the server has not confirmed yet, by room: the box may be closed and opened again meanwhile. */
const onTheWay = new Map<string, string>()
/** Whom the unsent notes mention, by room. A page that is loaded again has the text only, and says that it notifies nobody. */
const mentioned = new Map<string, Mention[]>()
/** The last note of each room without an answer. Sent again it is the same request, so that it is stored once. */
const unanswered = new Map<string, Input<'desk/whisper'>>()

/** The mentions of a room's unsent note, which stay while the box is closed. */
const useNoteMentions = (code: string, box: RefObject<HTMLTextAreaElement | null>, text: string) => {
  const [chosen, setChosen] = useState(() => mentioned.get(code) ?? [])
  const onChoose = (next: Mention[]) => {
    setChosen(next)
    mentioned.set(code, next)
  }
  const forget = () => {
    setChosen([])
    mentioned.delete(code)
  }
  return { ...useMentions({ box, text, chosen, onChoose }), forget }
}

/** Replaces the composer to write to colleagues. It has its own draft, so that a whisper is never sent to the member. */
export const WhisperBox = ({ room, onBack }: { room: RoomSummary; onBack: () => void }) => {
  const { t } = useWords()
  const { code } = room
  const key = whisperKeyOf(code)
  const [text, setText] = useState(() => drafts.of(key))
  const box = useRef<HTMLTextAreaElement>(null)
  const { mentions, onSelect, onKey, list, notified, forget } = useNoteMentions(code, box, text)
  const whisper = useSend('desk/whisper')
  const isLost = useLostSince() !== undefined
  const blank = isBlank(text) || text.length > MAX_TEXT
  const isOnTheWay = () => onTheWay.get(code) === text
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
    if (blank || whisper.isPending || isOnTheWay()) return
    const earlier = unanswered.get(code)
    const sent =
      earlier?.content === text
        ? earlier
        : { code, content: text, mentions, draft: drafts.versionOf(key), request_id: newRequestId() }
    onTheWay.set(code, text)
    unanswered.set(code, sent)
    const done = () => onTheWay.delete(code)
    // Not the callback of `mutate`: the user may have left the room, and the draft would come back as if it were not sent.
    whisper.mutateAsync(sent).then(
      (said) => {
        done()
        asides.take(code, [said])
        unanswered.delete(code)
        // Keep text that was typed meanwhile.
        if (drafts.of(key) === sent.content) {
          drafts.sent(key)
          forget()
          resetTyping()
        }
      },
      (error: CallError) => {
        done()
        if (error.code !== NO_ANSWER) unanswered.delete(code)
      },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (onKey(event)) return
    if (event.key === 'Escape') {
      event.preventDefault()
      return onBack()
    }
    if (event.key !== 'Enter' || event.shiftKey) return
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
      {isLost && isOnTheWay() && (
        <p className="c-readers" role="status">
          <Icon name="clock" size={14} />
          <span>{t('message.waiting')}</span>
        </p>
      )}
      <div className="c-above">{list}</div>
      {notified}
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
          onSelect={onSelect}
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
            disabled={blank || whisper.isPending || isOnTheWay()}
          >
            <Icon name="check" />
            <span className="c-send-word">{t('desk.whisper_send')}</span>
          </button>
        </div>
      </form>
    </div>
  )
}
