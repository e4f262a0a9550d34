import type { EventMessage, Line } from '@tallyroom/contract/events'
import type { WordKey } from '@tallyroom/locales'
import type { Translate } from '../../../i18n/i18n.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { timeOf } from './time.ts'

const words: Record<Line, WordKey> = {
  took_over: 'room.line_took_over',
  asked_for_people: 'room.line_asked_for_people',
  bot_did_not_know: 'room.line_bot_did_not_know',
  bot_failed: 'room.line_bot_failed',
  bot_is_off: 'room.line_bot_is_off',
  given_to_bot: 'room.line_given_to_bot',
  people_answer: 'room.line_people_answer',
  bot_answers: 'room.line_bot_answers',
}

/** The text of an event line. */
export const eventLineText = (message: EventMessage, t: Translate): string => {
  // A newer server may send a line that this page does not have.
  const key: WordKey | undefined = words[message.content]
  return key ? t(key, { name: message.nickname }) : ''
}

/** An event line: who answers from here on, and why. */
export const EventLine = ({ message }: { message: EventMessage }) => {
  const { t } = useWords()
  return (
    <p className="c-line">
      <bdi>{eventLineText(message, t)}</bdi> <time dateTime={message.created_at}>{timeOf(message.created_at)}</time>
    </p>
  )
}
