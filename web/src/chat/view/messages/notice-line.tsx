import { textFor } from '@tallyroom/contract/desk/texts'
import type { NoticeMessage } from '@tallyroom/contract/events'
import { useWords } from '../../../i18n/i18n.ts'
import { foreignZone, showMoment } from '../../../i18n/time.ts'
import { timeOf } from './time.ts'

/** DESK-06: a greeting or away text in the reader's language, with the time at which the desk opens. */
export const noticeText = ({ texts, language, opens }: NoticeMessage, reader: string): string => {
  const time = opens ? [showMoment(opens).slice(0, 16), foreignZone()].filter(Boolean).join(' ') : '–'
  return textFor(texts, reader, language).replaceAll('{opens}', time)
}

export const NoticeLine = ({ message }: { message: NoticeMessage }) => {
  const { language } = useWords()
  return (
    <p className="c-line c-notice">
      <bdi>{noticeText(message, language)}</bdi> <time dateTime={message.created_at}>{timeOf(message.created_at)}</time>
    </p>
  )
}
