import { openBell, useUnreadBell } from './bell-state.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import './bell-button.css'

/** What Alt with this key opens on every page, by its position on the keyboard. */
export const BELL_KEY = { code: 'KeyF', key: 'F' } as const

type Props = { className: string; onOpen?: () => void }

/** Opens the bell, and says how many of its items are unread. */
export const BellButton = ({ className, onOpen }: Props) => {
  const { t } = useWords()
  const unread = useUnreadBell()
  const word = t('shell.bell')
  return (
    <button
      type="button"
      className={`${className} c-bell`}
      aria-label={unread > 0 ? `${word}: ${unread}` : word}
      aria-haspopup="dialog"
      aria-keyshortcuts={`Alt+${BELL_KEY.key}`}
      data-tip={`${word} (Alt+${BELL_KEY.key})`}
      onClick={() => {
        onOpen?.()
        openBell()
      }}
    >
      <Icon name="bell" size={22} />
      {unread > 0 && <span className="c-unread points">{unread > 99 ? '99+' : unread}</span>}
    </button>
  )
}
