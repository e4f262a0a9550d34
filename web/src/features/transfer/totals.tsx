import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Amount } from '../../ui/amount.tsx'
import { Fact } from '../../ui/fact.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { groupCount } from '../../ui/form/amount-text.ts'
import type { HistoryFilter } from './history-pages.ts'

type Props = {
  filter: HistoryFilter
  isLoaded: boolean
  /** The rows that the list counts itself. */
  shown: number
}

/** What the search finds in all, also beyond the rows that are loaded. On a phone it must fit into one line. */
export const Totals = ({ filter, isLoaded, shown }: Props) => {
  const { t } = useWords()
  const small = useMedia('(max-width: 767px)')
  // After the rows: they are what was asked for.
  const { data } = useCall('transaction/totals', filter, { enabled: isLoaded, meta: { optional: true } })
  if (!data) return null
  if (!data.totals) return <span className="history-totals">{t('history.too_many')}</span>
  const { found, given, taken } = data.totals
  return (
    <dl className="history-totals">
      {found !== shown && (
        <div>
          <dt>{t('history.found')}</dt>
          <dd className="points">{groupCount(found)}</dd>
        </div>
      )}
      {/* Not "to members": transfers between agents are among them. */}
      <Fact label={t(small ? 'history.in' : 'cash.in')}>
        <Amount value={given} way="in" />
      </Fact>
      <Fact label={t(small ? 'history.out' : 'cash.out')}>
        <Amount value={taken} way="out" />
      </Fact>
    </dl>
  )
}
