import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Amount } from '../../ui/amount.tsx'
import { Fact } from '../../ui/fact.tsx'
import { groupCount } from '../../ui/form/amount-text.ts'
import type { HistoryFilter } from './history-pages.ts'

/** What the search finds in all, also beyond the rows that are loaded. */
export const Totals = ({ filter, isLoaded }: { filter: HistoryFilter; isLoaded: boolean }) => {
  const { t } = useWords()
  // After the rows: they are what was asked for.
  const { data } = useCall('transaction/totals', filter, { enabled: isLoaded, meta: { optional: true } })
  if (!data) return null
  if (!data.totals) return <span className="history-totals">{t('history.too_many')}</span>
  const { found, given, taken } = data.totals
  return (
    <dl className="history-totals">
      <div>
        <dt>{t('history.found')}</dt>
        <dd className="points">{groupCount(found)}</dd>
      </div>
      {/* Not "to members": transfers between agents are among them. */}
      <Fact label={t('cash.in')}>
        <Amount value={given} way="in" />
      </Fact>
      <Fact label={t('cash.out')}>
        <Amount value={taken} way="out" />
      </Fact>
    </dl>
  )
}
