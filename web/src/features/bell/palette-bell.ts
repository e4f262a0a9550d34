import { openBell } from '../../chat/view/bell-state.ts'
import { useWords } from '../../i18n/i18n.ts'
import { fuzzyFind } from '../../lib/fuzzy-find.ts'
import type { PaletteSource } from '../../ui/palette-source.ts'
import { BELL_KEY } from '../../chat/view/bell-button.tsx'

/** BELL-02: the bell, from every page. Shown once something is typed: it is not what the palette is opened for. */
export const bellSource: PaletteSource = {
  name: 'palette.commands',
  rank: () => 'last',
  useChoices: (text) => {
    const { t } = useWords()
    const bell = {
      key: 'bell',
      kind: 'command' as const,
      icon: 'bell' as const,
      title: t('shell.bell'),
      detail: '',
      href: '',
      run: openBell,
      keys: `Alt+${BELL_KEY.key}`,
      content: '',
      memo: '',
    }
    return { choices: text === '' ? [] : fuzzyFind([bell], text) }
  },
}
