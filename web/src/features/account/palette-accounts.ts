import { MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { roleWords } from '@tallyroom/contract/words/code-words'
import type { Answer } from '@tallyroom/contract'
import { isCustomerService, isOffice } from '@tallyroom/contract/codes'
import { cutText } from '@tallyroom/contract/text/cut-text'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { accountPath } from '../../domain/account-link.tsx'
import type { Choice, PaletteSource } from '../../ui/palette-source.ts'

type AccountHit = Answer<'search/accounts'>['data'][number]

/** Accounts found by the server once typing has paused; each opens its page. */
export const accountSource: PaletteSource = {
  name: 'palette.accounts',
  rank: () => 'last',
  useChoices: (text) => {
    const { t } = useWords()
    const debounced = cutText(useDebounced(text), MAX_TYPED_NAME)
    const { data, error, isFetching } = useCall(
      'search/accounts',
      { text: debounced || ' ' },
      { enabled: debounced !== '', meta: { optional: true } },
    )
    const choice = (account: AccountHit): Choice[] => {
      const { id, username, nickname } = account
      const href = accountPath(account)
      if (!href) return []
      return [
        {
          key: `account ${id}`,
          kind: 'account',
          icon: isCustomerService(account.role_id) ? 'headset' : isOffice(account.role_id) ? 'agent' : 'user',
          title: nickname || username,
          detail: `${nickname ? `${username} · ` : ''}${t(roleWords[account.role_id] ?? 'role.member')}`,
          href,
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
