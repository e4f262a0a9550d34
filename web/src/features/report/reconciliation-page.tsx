import { roleWords } from '@tallyroom/contract/words/code-words'
import { Role } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import type { WordKey } from '@tallyroom/locales'
import { Amount } from '../../ui/amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { groupCount } from '../../ui/form/amount-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { useCall, useSend } from '../../api/use-call.ts'
import { nameOf } from '../../ui/person.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { LastCheck } from './last-check.tsx'
import { AccountLink } from '../../domain/account-link.tsx'
import './reconciliation.css'

type Reconciliation = Answer<'report/reconciliation'>

/** Whether the points balance: who holds them, open envelopes, and the result of the last ledger check. */
export const ReconciliationPage = () => {
  const { t } = useWords()
  const report = useCall('report/reconciliation', {})
  const check = useSend('report/check', { refreshes: ['report/reconciliation'] })
  const { data } = report
  if (report.error && !data) {
    return (
      <div className="table-none" role="alert">
        <p>{report.error.message}</p>
        <button type="button" className="button" onClick={() => void report.refetch()}>
          <Icon name="refresh" size={16} />
          {t('action.try_again')}
        </button>
      </div>
    )
  }
  if (!data) return <p role="status">{t('table.loading')}</p>
  return (
    <div className="reconciliation">
      <Sums {...data} />
      {data.whole && (
        <section className="card">
          <div className="reconciliation-bar">
            <h2>{t('reconciliation.last')}</h2>
            <Button main busy={check.isPending} onClick={() => check.mutate({})}>
              {t('reconciliation.check')}
            </Button>
          </div>
          {check.error && <Alert text={check.error.message} />}
          <LastCheck last={data.last} />
        </section>
      )}
      <section className="card">
        <h2>{t('reconciliation.open')}</h2>
        <dl className="lines">
          <Fact label={t('reconciliation.offers', { n: data.open.offers, count: String(data.open.offers) })}>
            <Amount exact value={data.open.held} />
          </Fact>
          <Fact label={t('reconciliation.requests', { n: data.open.requests, count: String(data.open.requests) })}>
            <Amount exact value={data.open.asked} />
          </Fact>
        </dl>
      </section>
      <Roles roles={data.roles} />
      <Holders holders={data.holders} />
    </div>
  )
}

const Sums = ({ whole, held, owed, difference }: Pick<Reconciliation, 'whole' | 'held' | 'owed' | 'difference'>) => {
  const { t } = useWords()
  const isBalanced = difference === '0.0000'
  return (
    <>
      <dl className="totals">
        <Fact label={t('reconciliation.held')}>
          <Amount value={held} />
        </Fact>
        <Fact label={t('reconciliation.owed')}>
          <Amount value={owed} />
        </Fact>
        {/* A downline gets points from above, so only the whole platform sums to zero. */}
        {whole && (
          <div className={isBalanced ? '' : 'reconciliation-wrong'}>
            <dt>{t('reconciliation.difference')}</dt>
            <dd>
              <Amount exact value={difference} />
            </dd>
          </div>
        )}
      </dl>
      {whole && (
        <p className={isBalanced ? 'reconciliation-said' : 'reconciliation-said reconciliation-wrong'} role="status">
          <Icon name={isBalanced ? 'check' : 'alert'} size={16} />
          {t(isBalanced ? 'reconciliation.no_difference' : 'reconciliation.is_difference')}
        </p>
      )}
    </>
  )
}

const wordsWithHouse: Record<number, WordKey> = { ...roleWords, [Role.game]: 'reconciliation.house' }
const roleWord = (role: number): WordKey => wordsWithHouse[role] ?? 'role.member'

const Roles = ({ roles }: Pick<Reconciliation, 'roles'>) => {
  const { t } = useWords()
  return (
    <section className="card">
      <h2>{t('reconciliation.roles')}</h2>
      <div className="reconciliation-scroll" tabIndex={0} role="region" aria-label={t('reconciliation.roles')}>
        <table className="lines-table">
          <thead>
            <tr>
              <th scope="col">{t('reconciliation.role')}</th>
              {(['reconciliation.accounts', 'wallet.main', 'wallet.game', 'wallet.escrow'] as const).map((word) => (
                <th key={word} scope="col" className="end">
                  {t(word)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {roles.map((row) => (
              <tr key={row.role_id}>
                <th scope="row">{t(roleWord(row.role_id))}</th>
                <td className="end points">{groupCount(row.accounts)}</td>
                {[row.main, row.game, row.escrow].map((value, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: three fixed columns
                  <td key={index} className="end">
                    <Amount value={value} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const Holders = ({ holders }: Pick<Reconciliation, 'holders'>) => {
  const { t } = useWords()
  return (
    <section className="card">
      <h2>{t('reconciliation.holders')}</h2>
      {holders.length === 0 && <p>{t('reconciliation.nobody')}</p>}
      <ol className="reconciliation-holders">
        {holders.map((row) => (
          <li key={row.id}>
            <span className="long">
              <AccountLink who={row}>
                <bdi>{nameOf(row)}</bdi> {row.nickname && <bdi className="person-username">({row.username})</bdi>}
              </AccountLink>
            </span>
            <span className="chip">{t(roleWord(row.role_id))}</span>
            <span className="reconciliation-held">
              <Amount value={row.main} />
              {row.game !== '0.0000' && (
                <span className="drawer-wallet">
                  {t('wallet.game')} <Amount value={row.game} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
