import { NoticeDialog } from '../../../ui/overlay/notice-dialog.tsx'
import { isMac } from '../../../ui/is-mac.ts'
import { useWords } from '../../../i18n/i18n.ts'

/** The chat's shortcuts. Letters are matched by key position: with Alt some layouts type another character. */
const shortcuts = [
  { keys: 'Alt + ↓', word: 'keys.down' },
  { keys: 'Alt + ↑', word: 'keys.up' },
  { keys: 'Alt + N', word: 'keys.unread' },
  { keys: 'Alt + P', word: 'room.points' },
  { keys: 'Alt + H', word: 'chat.hide' },
  { keys: 'Alt + Z', word: 'action.undo' },
  { keys: 'Alt + K', word: 'keys.search' },
  { keys: isMac ? '⌘ + K' : 'Ctrl + K', word: 'palette.title' },
  { keys: '?', word: 'keys.help' },
] as const

export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useWords()
  return (
    <NoticeDialog title={t('keys.title')} onClose={onClose}>
      <dl className="room-keys">
        {shortcuts.map(({ keys, word }) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{t(word)}</dd>
          </div>
        ))}
      </dl>
    </NoticeDialog>
  )
}
