import type { Answer } from '@tallyroom/contract'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { mediaSrc } from '../../chat/model/media-src.ts'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { fill, type Values } from './fill.ts'
import '../../chat/view/pick/pick.css'

export type Reply = Answer<'message-template/list'>['data'][number]

type Props = {
  id: string
  replies: readonly Reply[]
  values: Values
  current: number
  onHighlight: (at: number) => void
  onChoose: (reply: Reply) => void
  /** The total number; undefined while they are loading. */
  total: number | undefined
  error: string | undefined
  onRetry: () => void
  typed: string
  onKey: (event: KeyboardEvent) => boolean
  /** Shows a search field: the list was opened by the button, not by a slash. */
  onType?: (typed: string) => void
  onClose?: () => void
}

/** The list above the text box: matching quick replies, each with the text it would insert. */
export const Replies = (props: Props) => {
  const { id, replies, current, total, error, typed, onType, onClose } = props
  const { t } = useWords()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' })
  }, [current, replies])
  return (
    <div className="c-pick">
      {onType && (
        <div className="q-head">
          <input
            className="input"
            // Opened by the button: the user types here next.
            autoFocus
            role="combobox"
            aria-expanded={replies.length > 0}
            aria-controls={id}
            aria-autocomplete="list"
            aria-activedescendant={replies.length ? `${id}-${current}` : undefined}
            aria-label={t('template.find')}
            placeholder={t('template.find')}
            value={typed}
            onChange={(event) => onType(event.target.value)}
            onKeyDown={(event) => {
              props.onKey(event)
              // Enter in this field chooses or does nothing: the form around it must not send.
              if (event.key === 'Enter') event.preventDefault()
            }}
          />
          <button type="button" className="c-round" aria-label={t('action.close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
      )}
      <ul ref={list} id={id} role="listbox" aria-label={t('template.quick_replies')} className="c-pick-list">
        {replies.map((reply, at) => (
          <Option key={reply.id} {...props} reply={reply} at={at} />
        ))}
      </ul>
      <div className="c-pick-foot">
        {total === undefined && !error && <span role="status">{t('chat.loading')}</span>}
        {total === undefined && error && (
          <>
            <span role="alert">{error}</span>
            <button type="button" className="c-link" onClick={props.onRetry}>
              {t('action.try_again')}
            </button>
          </>
        )}
        {total !== undefined && replies.length === 0 && (
          <span role="status">{total ? t('template.none_found', { text: typed.trim() }) : t('template.none_yet')}</span>
        )}
        {replies.length > 0 && <span className="q-keys">{t('template.keys')}</span>}
        <Link to="/MessageTemplate" className="c-link q-manage">
          {t('template.manage')}
        </Link>
      </div>
    </div>
  )
}

const Option = ({ id, reply, at, current, values, onHighlight, onChoose }: Props & { reply: Reply; at: number }) => (
  // The text field handles the keys; this handles the pointer only.
  <li
    id={`${id}-${at}`}
    role="option"
    aria-selected={at === current}
    className="c-pick-option"
    onPointerMove={() => at !== current && onHighlight(at)}
    // The caret stays in the box.
    onMouseDown={(event) => event.preventDefault()}
    onClick={() => onChoose(reply)}
  >
    {reply.image && <img src={mediaSrc(reply.image)} alt="" width={36} height={36} loading="lazy" />}
    <span className="c-pick-words">
      <span className="c-pick-top">
        <bdi className="c-pick-title">{reply.title}</bdi>
        {reply.memo && <bdi className="c-pick-memo">{reply.memo}</bdi>}
      </span>
      <bdi className="c-pick-text">{fill(reply.content, values).text}</bdi>
    </span>
  </li>
)
