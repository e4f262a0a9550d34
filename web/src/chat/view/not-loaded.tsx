import { useEffect } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { OutgoingBubble } from './bubble.tsx'
import type { Outgoing } from '../model/outbox.ts'
import { drafts, outbox } from '../model/chat-session.ts'

type Props = {
  code: string
  /** Written and sent before anything of the room was here. */
  outgoing: readonly Outgoing[]
  /** The server's words, when it gave no room. */
  error: string | undefined
  onRetry: () => void
}

/** In the place of a room's messages until they are here. */
export const NotLoaded = ({ code, outgoing, error, onRetry }: Props) => {
  const { t } = useWords()
  // A room that cannot be entered takes no message either, and shows none: what was written for it is a draft again.
  const refused = error !== undefined && outgoing.some(({ type, state }) => type === 1 && state === 'failed')
  useEffect(() => {
    if (refused) drafts.keep(code, [...outbox.takeBack(code), drafts.of(code)].filter(Boolean).join('\n'))
  }, [code, refused])
  return (
    <div className="c-loading">
      {error === undefined ? (
        <>
          <p className="heard" role="status">
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
