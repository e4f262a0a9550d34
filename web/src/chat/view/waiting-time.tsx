import { useLostSince } from '../../api/connection.ts'
import { useNow } from './use-chat.ts'
import { showDuration, showShortDuration } from './messages/time.ts'
import { serverNow } from '../../lib/clock.ts'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { useRoomTheme } from './room-theme.ts'
import { limitsOf, type WaitLimits, waitOf } from '../model/wait.ts'
import './waiting-time.css'

type Props = { since: string; worded?: boolean; short?: boolean; loud?: boolean; limits?: WaitLimits }

const words = { waiting: 'chat.wait_waiting', late: 'chat.wait_late', overdue: 'chat.wait_overdue' } as const

/**
 * How long the member has waited for an answer, by the server's clock. It grows louder by colour, shape and word
 * (CONV-07). `worded`: with its word from the start, where there is space for it. `short`: where there is little. `loud`:
 * filled once it is overdue, for the longest waits of a list. `limits`: of what is no conversation.
 */
export const WaitingTime = ({ since, worded = false, short = false, loud = true, limits }: Props) => {
  const { t } = useWords()
  // Without a connection nobody knows whether the member still waits: grey, and no longer counting.
  const isLost = useLostSince() !== undefined
  useNow(!isLost)
  const waited = serverNow() - Date.parse(since)
  const ofRoom = limitsOf(useRoomTheme())
  const wait = waitOf(waited, limits ?? ofRoom)
  const time = showDuration(waited)
  return (
    <span
      className="room-waiting points"
      data-wait={isLost ? 'unknown' : wait}
      data-loud={loud || undefined}
      data-tip={t('chat.waiting_for', { time })}
    >
      <Icon name={wait === 'overdue' && !isLost ? 'alert' : 'clock'} size={14} />
      <span data-word className={worded || wait !== 'waiting' ? undefined : 'visually-hidden'}>
        {t(words[wait])}
      </span>
      <span>{short ? showShortDuration(waited) : time}</span>
    </span>
  )
}
