import { MessageType } from '@tallyroom/contract/codes'
import type { WrittenMessage } from '@tallyroom/contract/events'
import { lazy, memo, type ReactNode, Suspense, useState } from 'react'
import { type Translate, useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { isImageMessage, outgoingText } from '../../model/message-kinds.ts'
import { mediaSrc } from '../../model/media-src.ts'
import type { Outgoing } from '../../model/outbox/outgoing.ts'
import { outbox } from '../../model/chat-session.ts'
import type { FileSource } from '../../model/outbox/send-file.ts'
import { FileCard, FileFactsView } from './file-card.tsx'
import { linkedText } from './linked-text.tsx'
import { QuoteBlock } from './quote.tsx'
import { timeOf } from './time.ts'
import { VoiceNote } from './voice-note.tsx'
import '../drawn-icons.css'

const Zoom = lazy(async () => ({ default: (await import('../zoom.tsx')).Zoom }))

/** Largest size of an image in a bubble, in px; the list uses it to estimate row heights. */
const IMAGE = { width: 260, height: 320 }
export const imageSize = (width: number | null, height: number | null) => {
  if (!width || !height) return { width: IMAGE.width, height: 180 }
  const scale = Math.min(1, IMAGE.width / width, IMAGE.height / height)
  return { width: Math.max(48, Math.round(width * scale)), height: Math.max(32, Math.round(height * scale)) }
}

const Picture = ({
  src,
  alt,
  width,
  height,
}: {
  src: string
  alt: string
  width: number | null
  height: number | null
}) => {
  const { t } = useWords()
  const [open, setOpen] = useState(false)
  const size = imageSize(width, height)
  return (
    <>
      <button type="button" className="c-picture" aria-label={t('message.enlarge')} onClick={() => setOpen(true)}>
        <img src={src} alt={alt} {...size} style={size} draggable={false} />
      </button>
      <Suspense>{open && <Zoom src={src} alt={alt} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

/** How far a message has got on the other side. */
export type Delivery = 'sent' | 'delivered' | 'read'

type Props = {
  message: WrittenMessage
  code: string
  /** The newest message: the one whose options the Tab key reaches. */
  last: boolean
  /** Added to a message that was taken back. */
  original?: ReactNode
  /** Empty for the user's own messages. */
  author: string
  /** Whether the author's name is shown above the bubble. */
  named: boolean
  first: boolean
  delivery: Delivery
}

/** What a bubble shows in place of a text. */
const attachmentOf = (message: WrittenMessage, t: Translate) => {
  const src = outbox.previewOf(message.message_id) ?? mediaSrc(message.content)
  if (message.type === MessageType.image)
    return <Picture src={src} alt={t('message.kind_image')} width={message.width} height={message.height} />
  if (message.voice) return <VoiceNote src={src} voice={message.voice} />
  return message.file && <FileCard src={mediaSrc(message.content)} file={message.file} />
}

/**
 * A text, image, voice note or file. The viewer's own are on the right. Scrolling renders dozens of them in one frame:
 * each has as few elements and components as it can, and its icons are drawn by CSS (measured by bench/room).
 */
export const Bubble = memo(({ message, code, author, named, first, last, delivery, original }: Props) => {
  const { t } = useWords()
  const own = message.is_self
  const time = timeOf(message.created_at)
  const attachment = message.taken_back ? undefined : attachmentOf(message, t)
  const text = message.taken_back ? (
    <>
      {t('message.taken_back')} {original}
    </>
  ) : (
    linkedText(message.content)
  )
  // Only what people wrote may be translated by the browser, which moves the words elsewhere: other words get an element
  // of their own.
  const words = message.taken_back ? '' : message.content
  const translate = message.taken_back ? undefined : 'yes'
  const isOnlyText = !attachment && !message.quote
  return (
    <article className="c-row" data-seq={message.seq} data-own={own || undefined} data-first={first || undefined}>
      <span className="visually-hidden">{t('message.from', { name: author || t('message.you'), time })}</span>
      {named && author && (
        <span className="c-author" aria-hidden="true">
          {message.bot === 1 && <Icon name="bot" size={14} />}
          {author}
        </span>
      )}
      <div className="c-beside">
        <div
          key={isOnlyText ? words : undefined}
          className={isOnlyText ? 'c-bubble c-text' : 'c-bubble'}
          dir={isOnlyText ? 'auto' : undefined}
          translate={isOnlyText ? translate : undefined}
          data-picture={(attachment && isImageMessage(message.type)) || undefined}
          data-gone={message.taken_back || undefined}
        >
          {message.quote && <QuoteBlock quote={message.quote} code={code} />}
          {attachment ??
            (isOnlyText ? (
              text
            ) : (
              <div key={words} className="c-text" dir="auto" translate={translate}>
                {text}
              </div>
            ))}
        </div>
        {own ? (
          <span className="c-meta">
            <time dateTime={message.created_at}>{time}</time>
            {tickOf(delivery, t)}
          </span>
        ) : (
          <time className="c-meta" dateTime={message.created_at}>
            {time}
          </time>
        )}
        {!message.taken_back && moreButton(last, t)}
      </div>
    </article>
  )
})

/** Opens the options of a message (use-message-actions.tsx). Shown under the pointer and in focus. */
export const moreButton = (last: boolean, t: Translate) => (
  <button
    type="button"
    className="c-more"
    aria-label={t('message.actions')}
    aria-haspopup="dialog"
    title={t('message.actions')}
    tabIndex={last ? 0 : -1}
  />
)

const deliveryWords = { sent: 'message.sent', delivered: 'message.delivered', read: 'message.read' } as const
/** Shows only the icon; its word is for screen readers. */
export const tickOf = (delivery: Delivery, t: Translate) => {
  const word = t(deliveryWords[delivery])
  return (
    <span className="c-tick" data-reached={delivery} title={word}>
      {word}
    </span>
  )
}

/** A voice note or file on its way, which can be called off. */
const OutgoingFile = ({ outgoing, source }: { outgoing: Outgoing; source: FileSource }) => {
  const { t } = useWords()
  const percent = Math.round((outgoing.progress ?? 0) * 100)
  return (
    <>
      {source.voice ? (
        <VoiceNote src={outbox.previewOf(outgoing.id) ?? ''} voice={source.voice} />
      ) : (
        <div className="c-file">
          <FileFactsView file={{ name: source.name, size: source.blob.size }} />
        </div>
      )}
      {outgoing.state === 'sending' && (
        <div className="c-upload">
          <progress max={100} value={percent} aria-label={t('message.uploading', { n: percent })} />
          <span>{t('message.uploading', { n: percent })}</span>
          <button type="button" className="c-link" onClick={() => outbox.discard(outgoing)}>
            {t('action.cancel')}
          </button>
        </div>
      )}
    </>
  )
}

/** A message of the outbox, not confirmed yet. */
export const OutgoingBubble = ({ outgoing }: { outgoing: Outgoing }) => {
  const { t } = useWords()
  const picture = isImageMessage(outgoing.type)
  const failed = outgoing.state === 'failed'
  /** Below the message; a screen reader would read the icon's text as well. */
  const hasNote = outgoing.tries > 0 && !failed
  const state = failed
    ? t('message.failed')
    : outgoing.state === 'sent'
      ? t('message.sent')
      : outgoing.tries
        ? t('message.waiting')
        : t('message.sending')
  return (
    <article className="c-row" data-own data-first data-failed={failed || undefined}>
      <div className="c-beside">
        <div className="c-bubble" data-picture={(picture && !outgoing.isLost) || undefined}>
          {outgoing.quote && <QuoteBlock quote={outgoing.quote} code={outgoing.code} />}
          {outgoing.isLost ? (
            <div className="c-text">{outgoingText(outgoing, t)}</div>
          ) : picture ? (
            <Picture
              src={outgoing.content}
              alt={t('message.kind_image')}
              width={outgoing.width}
              height={outgoing.height}
            />
          ) : outgoing.source ? (
            <OutgoingFile outgoing={outgoing} source={outgoing.source} />
          ) : (
            <div className="c-text" dir="auto">
              {linkedText(outgoing.content)}
            </div>
          )}
        </div>
        <span className="c-meta">
          <time dateTime={outgoing.at}>{timeOf(outgoing.at)}</time>
          <span className="c-state" title={state}>
            <Icon name={failed ? 'alert' : outgoing.state === 'sent' ? 'check' : 'clock'} size={16} />
            {!hasNote && <span className="visually-hidden">{state}</span>}
          </span>
        </span>
      </div>
      {hasNote && <span className="c-note">{state}</span>}
      {outgoing.isKept === false && outgoing.state === 'sending' && (
        <span className="c-note" role="status">
          {t('message.file_not_kept')}
        </span>
      )}
      {failed && (
        <div className="c-failure" role="alert">
          <span>{outgoing.error || state}</span>
          {!outgoing.isLost && !outgoing.isBadFile && (
            <button type="button" className="c-link" onClick={() => outbox.retry(outgoing, outgoing.isUnquotable)}>
              {t(outgoing.isUnquotable ? 'message.send_unquoted' : 'message.retry')}
            </button>
          )}
          <button type="button" className="c-link" onClick={() => outbox.discard(outgoing)}>
            {t('message.discard')}
          </button>
        </div>
      )}
    </article>
  )
}
