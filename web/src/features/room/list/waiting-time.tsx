import { useNow } from '../../../chat/view/use-chat.ts'
import { showDuration } from '../../../chat/view/time.ts'
import { serverNow } from '../../../lib/clock.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import './waiting-time.css'

/** How long the member has waited for an answer, by the server's clock. */
export const WaitingTime = ({ since }: { since: string }) => {
  const { t } = useWords()
  useNow(true)
  const time = showDuration(serverNow() - Date.parse(since))
  return (
    <span className="room-waiting points" data-tip={t('chat.waiting_for', { time })}>
      <Icon name="clock" size={12} />
      <span aria-hidden="true">{time}</span>
      <span className="visually-hidden">{t('chat.waiting')}</span>
    </span>
  )
}
