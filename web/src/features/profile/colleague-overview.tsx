import { roleWords } from '@tallyroom/contract/words/code-words'
import { useCall } from '../../api/use-call.ts'
import { useMenu } from '../../api/use-menu.ts'
import { AccountStatus } from '../../domain/status.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { Amount, available } from '../../ui/amount.tsx'
import { Fact } from '../../ui/fact.tsx'
import { groupCount } from '../../ui/form/amount-text.ts'
import type { Account } from './account.ts'

/** Who a colleague is, with its points and the accounts that it works for. */
export const ColleagueOverview = ({ account }: { account: Account }) => {
  const { t } = useWords()
  const hasTree = useMenu().has('/tree')
  const path = useCall('tree/path', { id: account.id }, { enabled: hasTree, meta: { optional: true } })
  const below = path.data?.path.at(-1)?.row
  const hasOwnPoints = account.shares_wallet !== true
  return (
    <dl className="lines">
      <Fact label={t('tree.role')}>{t(roleWords[account.role_id] ?? 'role.member')}</Fact>
      <Fact label={t('account.status')}>
        <AccountStatus value={account.status} />
      </Fact>
      <Fact label={t('account.created')}>
        <span className="points">{showMoment(account.created_at).slice(0, 16)}</span>
      </Fact>
      <Fact label={t('account.last_seen')}>
        <span className="points">{account.last_seen_at ? showMoment(account.last_seen_at).slice(0, 16) : '–'}</span>
      </Fact>
      <Fact label={t('shell.balance')}>
        {hasOwnPoints ? <Amount value={available(account)} unlimited={account.unlimited} /> : t('points.group_wallet')}
      </Fact>
      {hasOwnPoints && (
        <Fact label={t('account.limit_of_credit')}>
          <Amount value={account.limit_of_credit} unlimited={account.unlimited} />
        </Fact>
      )}
      {below && hasOwnPoints && (
        <>
          <Fact label={t('tree.team_direct')}>{groupCount(below.team)}</Fact>
          <Fact label={t('tree.members_direct')}>{groupCount(below.members)}</Fact>
          <Fact label={t('tree.below_all')}>{groupCount(below.below)}</Fact>
        </>
      )}
    </dl>
  )
}
