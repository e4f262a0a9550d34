import type { ReturnReason } from '@tallyroom/contract/desk/rules'
import type { Aside } from '@tallyroom/contract/events'
import { mentionedText } from '../../../chat/view/mention/mentioned-text.tsx'
import { timeOf } from '../../../chat/view/messages/time.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { type Translate, useWords } from '../../../i18n/i18n.ts'
import { laterTime } from '../later/times.ts'
import { ownId } from '../state/filter.ts'

/** A colleague's internal note as it is read out; empty for the user's own and for what is no note. */
export const asideText = ({ kind, user_username, nickname, content }: Aside, own: string | undefined, t: Translate) =>
  kind === 'whisper' && user_username !== own
    ? t('message.said', { name: t('desk.whisper_of', { name: nickname }), text: content })
    : ''

/** Who has no page open is shown as away everywhere. */
const returnWords = {
  gone: 'desk.returned_away',
  away: 'desk.returned_away',
  right_lost: 'desk.returned_right_lost',
  no_answer: 'desk.returned_no_answer',
  long_ago: 'desk.returned_long_ago',
} as const satisfies Record<ReturnReason, string>

const icons: Partial<Record<Aside['kind'], IconName>> = {
  settled: 'check',
  assigned: 'transfer',
  returned: 'clock',
  snoozed: 'moon',
  due: 'moon',
}

/** A line about an act of a colleague or of the server. */
const lineOf = ({ kind, nickname: name, target_name, target_id, content }: Aside, t: Translate): string => {
  // A room handed to this user: "you" instead of the name.
  const target = target_id === ownId() && kind === 'handed' ? t('message.you') : target_name
  if (kind === 'returned') return t(returnWords[content as ReturnReason], { name })
  if (kind === 'handed' && content) return t('desk.said_handed_why', { name, target, why: content })
  if (kind === 'released' && content) return t('desk.said_released_why', { name, why: content })
  if (kind === 'snoozed')
    return content ? t('desk.said_snoozed', { name, time: laterTime(content) }) : t('desk.said_woken', { name })
  return kind === 'whisper' ? '' : t(`desk.said_${kind}`, { name, target })
}

/** An internal note. It looks different from a message, so that it is clear the member does not see it. */
export const AsideLine = ({ aside }: { aside: Aside }) => {
  const { t } = useWords()
  const { kind, nickname: name } = aside
  const time = timeOf(aside.created_at)
  if (kind !== 'whisper') {
    return (
      <p className="room-said">
        <Icon name={icons[kind] ?? 'user'} size={14} />
        <span dir="auto">{lineOf(aside, t)}</span>
        <time className="points" dateTime={aside.created_at}>
          {time}
        </time>
      </p>
    )
  }
  return (
    <article className="room-whisper">
      <Icon name="lock" size={14} />
      <div className="c-text" dir="auto">
        <span className="visually-hidden">{t('desk.whisper_of', { name })}</span>
        <b aria-hidden="true">{name}</b>
        {mentionedText(aside.content, aside.mentions)}
      </div>
      <time className="points" dateTime={aside.created_at}>
        {time}
      </time>
    </article>
  )
}
