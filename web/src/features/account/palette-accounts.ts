import { roleWords } from '@tallyroom/contract/words/code-words'
import type { Answer } from '@tallyroom/contract'
import { Role } from '@tallyroom/contract/codes'
import { cutText } from '@tallyroom/contract/text/cut-text'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { isMasked } from '../../ui/masked.ts'
import type { Choice, PaletteSource } from '../../ui/palette-source.ts'

/** The list page of each role. */
const lists: Record<number, string> = { 2: '/agent', 3: '/customer_service', 4: '/user' }

type AccountHit = Answer<'search/accounts'>['data'][number]

/** Accounts found by the server once typing has paused; each opens the list page of its role. */
export const accountSource: PaletteSource = {
  name: 'palette.accounts',
  place: () => 'last',
  useChoices: (text) => {
    const { t } = useWords()
    const menu = useCall('userMenu/list', {}, { staleTime: 5 * 60_000, meta: { optional: true } })
    const debounced = cutText(useDebounced(text), 64)
    const { data, error, isFetching } = useCall(
      'search/accounts',
      { text: debounced || ' ' },
      { enabled: debounced !== '', meta: { optional: true } },
    )
    const choice = (account: AccountHit): Choice[] => {
      const list = lists[account.role_id]
      if (!list || !menu.data?.some(({ url }) => url === list)) return []
      const { id, username, nickname } = account
      // The list page cannot be searched by a masked name.
      const wanted = !isMasked(username) ? { username } : nickname ? { nickname } : { username: debounced }
      return [
        {
          key: `account ${id}`,
          kind: 'account',
          icon:
            account.role_id === Role.agent ? 'agent' : account.role_id === Role.customerService ? 'headset' : 'user',
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
