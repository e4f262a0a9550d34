import { MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { roleWords } from '@tallyroom/contract/words/code-words'
import type { Answer } from '@tallyroom/contract'
import { isCustomerService, isOffice } from '@tallyroom/contract/codes'
import { cutText } from '@tallyroom/contract/text/cut-text'
import { useCall } from '../../api/use-call.ts'
import { useMenu } from '../../api/use-menu.ts'
import { useWords } from '../../i18n/i18n.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { isMasked } from '../../domain/masked.ts'
import type { Choice, PaletteSource } from '../../ui/palette-source.ts'

type AccountHit = Answer<'search/accounts'>['data'][number]

/** Accounts found by the server once typing has paused; each opens the list page of its role. */
export const accountSource: PaletteSource = {
  name: 'palette.accounts',
  rank: () => 'last',
  useChoices: (text) => {
    const { t } = useWords()
    const menu = useMenu()
    const debounced = cutText(useDebounced(text), MAX_TYPED_NAME)
    const { data, error, isFetching } = useCall(
      'search/accounts',
      { text: debounced || ' ' },
      { enabled: debounced !== '', meta: { optional: true } },
    )
    const choice = (account: AccountHit): Choice[] => {
      const list = menu.pageOf(account.role_id)?.url
      if (!list) return []
      const { id, username, nickname } = account
      // The list page cannot be searched by a masked name.
      const wanted = !isMasked(username) ? { username } : nickname ? { nickname } : { username: debounced }
      return [
        {
          key: `account ${id}`,
          kind: 'account',
          icon: isCustomerService(account.role_id) ? 'headset' : isOffice(account.role_id) ? 'agent' : 'user',
          title: nickname || username,
          detail: `${nickname ? `${username} · ` : ''}${t(roleWords[account.role_id] ?? 'role.member')}`,
          href: `${list}?${new URLSearchParams(wanted).toString()}`,
        },
      ]
    }
    return {
      choices: debounced === '' ? [] : (data?.data ?? []).flatMap(choice),
      searching: text !== '' && (debounced === '' || isFetching),
      error: debounced === '' ? null : error,
    }
  },
}
