import { roleWords } from '@tallyroom/contract/words/code-words'
import { isCustomerService, isOffice } from '@tallyroom/contract/codes'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../api/use-call.ts'
import { actionsOf, useMenu } from '../../api/use-menu.ts'
import { SideDrawer } from '../../ui/overlay/side-drawer.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { groupCount } from '../../ui/form/amount-text.ts'
import { Fact } from '../../ui/fact.tsx'
import { Icon } from '../../ui/icon.tsx'
import { AccountLink } from '../../domain/account-link.tsx'
import { isMasked } from '../../domain/masked.ts'
import { Person } from '../../ui/person.tsx'
import { AccountStatus } from '../../domain/status.tsx'
import type { TreeRow } from './layout.ts'
import { Cell } from './tree-line.tsx'

type Props = {
  row: TreeRow
  level: number
  onAdd: (() => void) | undefined
  onMove: (() => void) | undefined
  onTransfer: () => void
  onClose: () => void
}

/** One account of the tree, and what can be done with it. */
export const AccountDrawer = ({ row, level, onAdd, onMove, onTransfer, onClose }: Props) => {
  const { t } = useWords()
  const { list, may, leadsTo } = useListPage(row)
  return (
    <SideDrawer
      onClose={onClose}
      title={
        <AccountLink who={row}>
          <Person who={row} />
        </AccountLink>
      }
    >
      <dl className="lines">
        <Fact label={t('tree.role')}>{t(roleWords[row.role_id] ?? 'role.member')}</Fact>
        <Fact label={t('account.status')}>
          <AccountStatus value={row.status} />
        </Fact>
        <Fact label={t('tree.level')}>{level}</Fact>
        <Fact label={t('shell.balance')}>
          <Cell column="balance" row={row} />
        </Fact>
        {isOffice(row.role_id) && (
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
        {may.includes('transaction') && (
          <button type="button" className="button" onClick={onTransfer}>
            <Icon name="transfer" />
            {t('action.transaction')}
          </button>
        )}
        {onMove && (
          <button type="button" className="button" onClick={onMove}>
            <Icon name="move" />
            {t('tree.move')}
          </button>
        )}
        {isOffice(row.role_id) && (
          <Link className="button" to="/rights/{-$id}" params={{ id: String(row.id) }}>
            <Icon name="shield" />
            {t('right.rights')}
          </Link>
        )}
        {!isCustomerService(row.role_id) && leadsTo('/report/statement') && (
          <Link className="button" to="/report/statement" search={{ id: row.id }}>
            <Icon name="notebook" />
            {t('action.statement')}
          </Link>
        )}
        {
          // The log is searched by the whole username.
          !isCustomerService(row.role_id) && leadsTo('/transaction/list') && !isMasked(row.username) && (
            <Link className="button" to="/transaction/list/{-$username}" params={{ username: row.username }}>
              <Icon name="list" />
              {t('menu.transaction_log')}
            </Link>
          )
        }
        {list && (
          <Link
            className="button"
            to={list}
            // It cannot be searched by a masked name.
            search={isMasked(row.username) ? { nickname: row.nickname } : { username: row.username }}
          >
            <Icon name="user" />
            {t('tree.show_list')}
          </Link>
        )}
      </div>
    </SideDrawer>
  )
}

/** The list page that has the account, with what may be done there, and the other pages of the menu. */
const useListPage = (row: TreeRow) => {
  const menu = useMenu()
  const own = useCall('user/view', {}, { meta: { optional: true } })
  // The list of customer service has that of the own group only, and no list has the user.
  const isListed = row.id !== own.data?.id && !isCustomerService(row.role_id)
  const page = isListed ? menu.pageOf(row.role_id) : undefined
  return { list: page?.url, may: actionsOf(page), leadsTo: menu.has }
}
