import { MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { isOffice } from '@tallyroom/contract/codes'
import { cutText } from '@tallyroom/contract/text/cut-text'
import { fold, foldWanted } from '@tallyroom/contract/text/fold'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import type { Choice, PaletteSource } from '../../ui/palette-source.ts'

/** The rights of the accounts below whose name is typed, and the own. */
export const rightSource: PaletteSource = {
  name: 'right.rights',
  rank: () => 'last',
  useChoices: (text) => {
    const { t } = useWords()
    const debounced = cutText(useDebounced(text), MAX_TYPED_NAME)
    const { data } = useCall(
      'search/accounts',
      { text: debounced || ' ' },
      { enabled: debounced !== '', meta: { optional: true } },
    )
    const choice = (href: string, title: string, detail: string): Choice => ({
      key: `right ${href}`,
      kind: 'page',
      icon: 'shield',
      title,
      detail,
      href,
    })
    const own = choice('/rights', t('right.title_own'), '')
    const isOwn = text !== '' && fold(own.title).includes(foldWanted(text))
    const below = (debounced === '' ? [] : (data?.data ?? []))
      .filter(({ role_id }) => isOffice(role_id))
      .map(({ id, username, nickname }) =>
        choice(`/rights/${id}`, t('right.of', { name: nickname || username }), nickname ? username : ''),
      )
    return { choices: isOwn ? [own, ...below] : below }
  },
}
