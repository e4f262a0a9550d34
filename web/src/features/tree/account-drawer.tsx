import { roleWords } from '@tallyroom/contract/words/code-words'
import { Role } from '@tallyroom/contract/codes'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../api/use-call.ts'
import { SideDrawer } from '../../ui/overlay/side-drawer.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { groupCount } from '../../ui/form/amount-text.ts'
import { Fact } from '../../ui/fact.tsx'
import { Icon } from '../../ui/icon.tsx'
import { isMasked } from '../../ui/masked.ts'
import { Person } from '../../ui/person.tsx'
import { AccountStatus } from '../../ui/status.tsx'
import type { TreeRow } from './layout.ts'
import { Cell } from './tree-line.tsx'

type Props = {
  row: TreeRow
  level: number
  onAdd: (() => void) | undefined
  onMove: (() => void) | undefined
  onClose: () => void
}

/** One account of the tree, and what can be done with it. */
export const AccountDrawer = ({ row, level, onAdd, onMove, onClose }: Props) => {
  const { t } = useWords()
  return (
    <SideDrawer size={{ wide: 400, phone: 'auto' }} onClose={onClose} title={<Person who={row} />}>
      <dl className="lines">
        <Fact label={t('tree.role')}>{t(roleWords[row.role_id] ?? 'role.member')}</Fact>
        <Fact label={t('account.status')}>
          <AccountStatus value={row.status} />
        </Fact>
        <Fact label={t('tree.level')}>{level}</Fact>
        <Fact label={t('shell.balance')}>
          <Cell column="balance" row={row} />
        </Fact>
        {row.role_id !== Role.member && (
          <>
            <Fact label={t('account.limit_of_credit')}>
              <Cell column="credit" row={row} />
            </Fact>
            <Fact label={t('tree.team_direct')}>{groupCount(row.team)}</Fact>
            <Fact label={t('tree.members_direct')}>{groupCount(row.members)}</Fact>
            <Fact label={t('tree.below_all')}>{groupCount(row.below)}</Fact>
          </>
        )}
      </dl>
      <div className="sheet-actions">
        {onAdd && (
          <button type="button" className="button button-main" onClick={onAdd}>
            <Icon name="plus" />
            {t('tree.add')}
          </button>
        )}
        {onMove && (
          <button type="button" className="button" onClick={onMove}>
            <Icon name="move" />
            {t('tree.move')}
          </button>
        )}
        {row.role_id !== Role.member && (
          <Link className="button" to="/rights/{-$id}" params={{ id: String(row.id) }}>
            <Icon name="shield" />
            {t('right.rights')}
          </Link>
        )}
        <ListLink row={row} />
      </div>
    </SideDrawer>
  )
}

const lists: Record<number, string> = { [Role.agent]: '/agent', [Role.member]: '/user' }

/** The list page has the account's transfers, edit and freeze buttons; it cannot be searched by a masked name. */
const ListLink = ({ row }: { row: TreeRow }) => {
  const { t } = useWords()
  const menu = useCall('userMenu/list', {}, { staleTime: 5 * 60_000, meta: { optional: true } })
  const own = useCall('user/view', {}, { meta: { optional: true } })
  const list = lists[row.role_id]
  const search = isMasked(row.username) ? { nickname: row.nickname } : { username: row.username }
  if (!list || row.id === own.data?.id || !menu.data?.some(({ url }) => url === list)) return null
  return (
    <Link className="button" to={list} search={search as never}>
      <Icon name="list" />
      {t('tree.show_list')}
    </Link>
  )
}
