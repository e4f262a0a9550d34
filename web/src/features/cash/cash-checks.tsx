import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import { exactAmount as showAmount } from '../../chat/model/message-kinds.ts'
import { CashStatus } from '../../domain/cash-status.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { Icon } from '../../ui/icon.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { MaybePaid } from './maybe-paid.tsx'
import { warningWords } from './warning-words.ts'

type Props = {
  row: CashRow
  /** Shows another request, which a warning is about. */
  onOpen: (id: number) => void
}

/** What to look at before an open request is paid. */
export const CashChecks = ({ row, onOpen }: Props) => {
  const { t } = useWords()
  const isDue = pointsOf(row.turnover_due) > 0n
  return (
    <>
      {row.maybe_paid && <MaybePaid of={row.maybe_paid} className="request-warning request-maybe" />}
      <ul className="request-checks">
        {row.warnings.map((name) => (
          <li key={name} data-warns>
            <Icon name="alert" size={16} />
            <span>
              {t(warningWords[name])}
              {name === 'five_times' && row.usual && (
                <span className="request-note">{t('requests.usually', { amount: showAmount(row.usual) })}</span>
              )}
              {row.alike
                ?.filter(({ warning }) => warning === name)
                .map((other) => (
                  <Alike key={other.id ?? other.asked_at} other={other} onOpen={onOpen} />
                ))}
            </span>
          </li>
        ))}
        {row.slip_compared !== undefined && !row.warnings.includes('slip_used') && (
          <li>
            <Icon name={row.slip_compared ? 'check' : 'clock'} size={16} />
            {t(row.slip_compared ? 'requests.slip_new' : 'requests.slip_comparing')}
          </li>
        )}
        {row.direction === 'out' && (
          <li data-warns={isDue || undefined}>
            <Icon name={isDue ? 'alert' : 'check'} size={16} />
            {isDue ? t('requests.turnover_due', { amount: showAmount(row.turnover_due) }) : t('requests.turnover_met')}
          </li>
        )}
      </ul>
    </>
  )
}

const Alike = ({ other, onOpen }: { other: NonNullable<CashRow['alike']>[number]; onOpen: (id: number) => void }) => {
  const { t } = useWords()
  const { id, name, asked_at, state } = other
  return (
    <span className="request-note request-alike">
      {id === null ? (
        <span>{t('requests.other_group')}</span>
      ) : (
        <button type="button" className="button request-small" onClick={() => onOpen(id)}>
          {t('requests.one', { n: id })}
        </button>
      )}
      {name && <bdi>{name}</bdi>}
      <time className="points">{showMoment(asked_at).slice(0, 16)}</time>
      <CashStatus state={state} />
    </span>
  )
}
