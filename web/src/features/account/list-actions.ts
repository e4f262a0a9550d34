import { AccountStatus } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { chatPathOf } from '../../domain/chat-link.tsx'
import { isMasked } from '../../domain/masked.ts'
import type { RowAction } from '../../ui/search-table/column.ts'
import { editAction } from '../../ui/search-table/common-actions.ts'

type Row = Answer<'user/list'>['data'][number]

/** The dialogs about an account of the list, by the action that opens them. */
export type RowDialog = 'transaction' | 'deposit' | 'edit' | 'delete'

/** Pages about the wallet of one account. */
export const walletPages = ['/report/statement', '/transaction/list'] as const

/** RIGHT-02 */
export const RIGHTS = '/rights'

/** ACC-10: the actions that the menu entry allows on rows, and those that lead to pages of the menu. */
export const useRowActions = (
  may: readonly string[],
  pages: readonly string[],
  { agents, open }: { agents: Answer<'user/list'>['agents']; open: (kind: RowDialog, row: Row) => void },
) => {
  const { t } = useWords()
  const navigate = useNavigate()
  const allowed = [...may, ...pages].join(',')
  return useMemo((): RowAction<Row>[] => {
    const own = agents?.find(({ is_own }) => is_own === 1)?.id
    const all: RowAction<Row>[] = [
      {
        key: 'transaction',
        label: t('action.transaction'),
        icon: 'transfer',
        hint: t('room.points'),
        letter: 'T',
        onSelect: (row) => open('transaction', row),
      },
      {
        key: 'deposit',
        label: t('action.deposit'),
        icon: 'plus',
        hint: t('deposit.what'),
        letter: 'D',
        onSelect: (row) => open('deposit', row),
      },
      {
        key: '/chat',
        label: t('requests.conversation'),
        icon: 'chat',
        letter: 'C',
        // Members of another group write with that group.
        hidden: ({ agent_id }) => agent_id === undefined || agent_id !== own,
        onSelect: ({ id }) => void navigate(chatPathOf({ room_id: 0, member_id: id, friend_id: id })),
      },
      {
        key: '/report/statement',
        label: t('action.statement'),
        icon: 'notebook',
        letter: 'S',
        onSelect: ({ id }) => void navigate({ to: '/report/statement', search: { id } }),
      },
      {
        key: '/transaction/list',
        label: t('menu.transaction_log'),
        icon: 'list',
        letter: 'L',
        // The log is searched by the whole username.
        hidden: ({ username }) => isMasked(username),
        onSelect: ({ username }) => void navigate({ to: '/transaction/list/{-$username}', params: { username } }),
      },
      editAction(t, open),
      {
        key: RIGHTS,
        label: t('right.rights'),
        icon: 'shield',
        letter: 'R',
        onSelect: ({ id }) => void navigate({ to: '/rights/{-$id}', params: { id: String(id) } }),
      },
      {
        key: 'delete',
        label: t('action.freeze'),
        icon: 'lock',
        letter: 'F',
        danger: true,
        hidden: ({ status }) => status === AccountStatus.frozen,
        onSelect: (row) => open('delete', row),
      },
    ]
    return all.filter(({ key }) => allowed.split(',').includes(key))
  }, [t, allowed, agents, open, navigate])
}
