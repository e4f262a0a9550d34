import { useNow } from '../../chat/use-talk.ts'
import { leftOf } from '../../chat/time.ts'
import { serverNow } from '../../clock.ts'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words.ts'
import './waiting.css'

/** How long the member has waited for an answer, by the server's clock. */
export const Waiting = ({ since }: { since: string }) => {
  const { t } = useWords()
  useNow(true)
  const time = leftOf(serverNow() - Date.parse(since))
  return (
    <span className="room-waiting points" data-tip={t('chat.waiting_for', { time })}>
      <Icon name="clock" size={12} />
      <span aria-hidden="true">{time}</span>
      <span className="heard">{t('chat.waiting')}</span>
    </span>
  )
}
