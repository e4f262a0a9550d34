import { colleagueStates } from '@tallyroom/contract/desk/states'
import { useOwnState } from '../../../chat/view/colleagues.ts'
import { openEndShift } from '../../../chat/view/end-shift-state.ts'
import { stateWords } from '../../../chat/view/state-dot.tsx'
import { useSetState } from '../../../chat/view/state-items.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import { fuzzyFind } from '../../../lib/fuzzy-find.ts'
import type { Choice, PaletteSource } from '../../../ui/palette-source.ts'

/** DESK-01: what one is, on every page. Shown once something is typed: it is not what the palette is opened for. */
export const stateSource: PaletteSource = {
  name: 'account.status',
  rank: () => 'last',
  useChoices: (text) => {
    const { t } = useWords()
    const own = useOwnState()
    const set = useSetState()
    if (!own || text === '') return { choices: [] }
    const choices = colleagueStates
      .filter((state) => state !== own.state)
      .map((state): Choice & { content: string; memo: string } => ({
        key: `state ${state}`,
        kind: 'command',
        icon: 'clock',
        title: t('desk.set_state', { state: t(stateWords[state]) }),
        detail: '',
        href: '',
        run: () => set(state),
        content: '',
        memo: '',
      }))
    const end = {
      key: 'end shift',
      kind: 'command' as const,
      icon: 'logout' as const,
      title: t('shift.title'),
      detail: '',
      href: '',
      run: openEndShift,
      content: '',
      memo: '',
    }
    return { choices: fuzzyFind([...choices, end], text) }
  },
}
