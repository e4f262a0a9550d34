import type { WordKey } from '@tallyroom/locales'
import { NoticeDialog } from '../../../ui/overlay/notice-dialog.tsx'
import { CONTROL, ENTER } from '../../../ui/key-names.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { commands } from './commands.ts'

/** Keys that are not commands: they work in the text box, or everywhere. */
const others: readonly { keys: readonly string[]; word: WordKey }[] = [
  { keys: [ENTER], word: 'message.send' },
  { keys: [CONTROL, ENTER], word: 'keys.send_next' },
  { keys: ['Shift', ENTER], word: 'keys.new_line' },
  { keys: ['/'], word: 'template.quick_replies' },
  { keys: [CONTROL, 'K'], word: 'palette.title' },
  { keys: [CONTROL, '/'], word: 'keys.help' },
]
const shortcuts = [
  ...others,
  ...Object.values(commands).map(({ key, word }) => ({ keys: ['Alt', key] as const, word })),
]

export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useWords()
  return (
    <NoticeDialog title={t('keys.title')} onClose={onClose}>
      <dl className="room-keys">
        {shortcuts.map(({ keys, word }) => (
          <div key={keys.join()}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(word)}</dd>
          </div>
        ))}
      </dl>
    </NoticeDialog>
  )
}
