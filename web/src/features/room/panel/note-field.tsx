import { MAX_NOTE_TITLE, MAX_TEXT } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import { shortText } from '@tallyroom/contract/text/cut-text'
import type { Mention } from '@tallyroom/contract/text/mentions'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { useTextLimit } from '../../../ui/control/use-text-limit.ts'
import { Icon } from '../../../ui/icon.tsx'
import { leaveToHome } from '../../../ui/keyboard/keep-focus.ts'
import { Alert, notify } from '../../../ui/overlay/message.tsx'
import { useMentions } from '../../../chat/view/mention/use-mentions.tsx'
import { commands, commandTip } from '../state/commands.ts'
import type { NotedMember } from './panel-member.ts'

/** `isNoting`: the field was asked for and takes the focus, then calls `onNoting`. */
export type Noting = { isNoting: boolean; onNoting: () => void }

/** The first line is the note's title. A text that has more than a title, or mentions somebody, is the note's first entry too. */
const noteOf = (typed: string, mentions: Mention[]): { title: string; content?: string; mentions: Mention[] } => {
  const text = typed.trim()
  const line = (text.split('\n')[0] ?? '').trim()
  const title = shortText(line, MAX_NOTE_TITLE)
  return title === text && mentions.length === 0 ? { title, mentions } : { title, content: text, mentions }
}

/** Notes that are typed and not saved, by room: they survive opening another room. */
const typed = new Map<string, string>()

/** CONV-13: a note on the member is one key and its text. */
export const NoteField = ({ room, isNoting, onNoting }: { room: NotedMember } & Noting) => {
  const { t } = useWords()
  const box = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(() => typed.get(room.code) ?? '')
  const [chosen, setChosen] = useState<Mention[]>([])
  const { mentions, onSelect, onKey, list, notified } = useMentions({
    box,
    text,
    chosen,
    onChoose: setChosen,
    inline: true,
  })
  const add = useSend('note/add', { refreshes: ['note/list'] })
  useEffect(() => {
    if (!isNoting) return
    box.current?.focus()
    onNoting()
  }, [isNoting, onNoting])
  const write = (next: string) => {
    setText(next)
    if (next) typed.set(room.code, next)
    else typed.delete(room.code)
  }
  const backToMessages = () => leaveToHome(document.querySelector('.room-window'))
  const save = () => {
    if (add.isPending || isBlank(text)) return
    // Not the callbacks of `mutate`: the user may open another room meanwhile, and the note would be in the field again as
    // if it were not saved.
    typed.delete(room.code)
    add.mutateAsync({ room_id: room.room_id, ...noteOf(text, mentions) }).then(
      () => {
        notify.done(t('panel.note_saved'))
        if (!box.current) return
        setText('')
        setChosen([])
        backToMessages()
      },
      (error: Error) => {
        if (!typed.has(room.code)) typed.set(room.code, text)
        if (!box.current) notify.refused(error.message)
      },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (onKey(event)) return
    if (event.key === 'Escape' && !event.currentTarget.closest('dialog')) {
      event.preventDefault()
      backToMessages()
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    save()
  }
  const limited = useTextLimit<HTMLTextAreaElement>({
    maxLength: MAX_TEXT,
    value: text,
    onChange: ({ target }) => write(target.value),
  })
  const word = t('panel.add_note')
  return (
    <>
      <div className="panel-note" {...commandTip('memberNote', t('panel.note_keys'))}>
        <Icon name="notebook" size={16} />
        <textarea
          ref={box}
          rows={1}
          dir="auto"
          aria-label={word}
          placeholder={t('panel.add_note_about', { name: room.name })}
          readOnly={add.isPending}
          value={text}
          {...limited}
          onKeyDown={onKeyDown}
          onSelect={onSelect}
        />
        <kbd aria-hidden="true">{`Alt+${commands.memberNote.key}`}</kbd>
      </div>
      {list}
      {notified}
      {add.error && <Alert text={add.error.message} />}
    </>
  )
}
