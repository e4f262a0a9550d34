import type { WordKey } from '@tallyroom/locales'
import { useWords } from '../../i18n/i18n.ts'
import { CONTROL } from '../keyboard/key-names.ts'
import { NoticeDialog } from './notice-dialog.tsx'
import './keys-dialog.css'

export type Shortcut = { keys: readonly string[]; word: WordKey }

/** They work on every page of the office. */
const common: readonly Shortcut[] = [
  { keys: ['↓'], word: 'keys.into_list' },
  { keys: ['↑', '↓'], word: 'keys.rows' },
  { keys: [CONTROL, 'K'], word: 'palette.title' },
  { keys: ['Alt', 'F'], word: 'shell.bell' },
  { keys: [CONTROL, '/'], word: 'keys.help' },
]

/** For two columns: in one, the keys of the chat are higher than the screen. */
const WIDE = 760

/** The list of keys: those of the page, and the common ones. */
export const KeysDialog = ({ own = [], onClose }: { own?: readonly Shortcut[]; onClose: () => void }) => {
  const { t } = useWords()
  return (
    <NoticeDialog title={t('keys.title')} width={own.length > 0 ? WIDE : undefined} onClose={onClose}>
      <dl className="keys">
        {[...own, ...common].map(({ keys, word }) => (
          <div key={keys.join(' ')}>
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
