import { MessageType } from '@tallyroom/contract/codes'
import { useEffect } from 'react'
import { useWords } from '../../../i18n/i18n.ts'
import { OutgoingBubble } from './bubble.tsx'
import type { Outgoing } from '../../model/outbox/outgoing.ts'
import { drafts, outbox } from '../../model/chat-session.ts'

type Props = {
  code: string
  /** Messages sent before the room was loaded. */
  outgoing: readonly Outgoing[]
  /** The server's message when it refused the room. */
  error: string | undefined
  onRetry: () => void
}

/** Shown instead of a room's messages until they are loaded. */
export const NotLoaded = ({ code, outgoing, error, onRetry }: Props) => {
  const { t } = useWords()
  // A refused room also refuses messages and cannot show them: turn unsent texts back into a draft.
  const refused =
    error !== undefined && outgoing.some(({ type, state }) => type === MessageType.text && state === 'failed')
  useEffect(() => {
    if (refused) drafts.keep(code, [...outbox.takeRefused(code), drafts.of(code)].filter(Boolean).join('\n'))
  }, [code, refused])
  return (
    <div className="c-loading">
      {error === undefined ? (
        <>
          <p className="visually-hidden" role="status">
            {t('chat.loading')}
          </p>
          <div className="c-skeleton" aria-hidden="true">
            <i />
            <i />
            <i />
            <i />
          </div>
        </>
      ) : (
        <div className="c-middle">
          <p role="alert">{error}</p>
          <button type="button" className="button" onClick={onRetry}>
            {t('action.try_again')}
          </button>
        </div>
      )}
      {outgoing.map((item) => (
        <OutgoingBubble key={item.id} outgoing={item} />
      ))}
    </div>
  )
}
