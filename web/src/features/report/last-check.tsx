import type { Answer } from '@tallyroom/contract'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../i18n/i18n.ts'

/** The last check of the ledger: when, by whom, and the breaches of each rule. */
export const LastCheck = ({ last }: { last: Answer<'report/reconciliation'>['last'] }) => {
  const { t } = useWords()
  if (!last) return <p>{t('reconciliation.never')}</p>
  const { findings } = last
  const broken = findings.filter(({ breaches }) => breaches.length > 0).length
  return (
    <>
      <p className="points">
        {t('reconciliation.by', {
          at: last.at,
          name: last.by || t('reconciliation.command'),
          seconds: (last.took_ms / 1000).toFixed(1),
        })}
      </p>
      <p className={`reconciliation-said ${broken ? 'reconciliation-wrong' : ''}`} role="status">
        <Icon name={broken ? 'alert' : 'check'} size={16} />
        {broken
          ? t('reconciliation.ill', { n: broken, count: String(broken) })
          : t('reconciliation.well', { n: findings.length, count: String(findings.length) })}
      </p>
      <ul className="reconciliation-rules">
        {findings.map(({ rule, breaches }) => (
          <li key={rule} className={breaches.length ? 'reconciliation-wrong' : ''}>
            <Icon name={breaches.length ? 'alert' : 'check'} size={16} />
            <span>{t(`rule.${rule}`)}</span>
            {breaches.length > 0 && (
              <ul>
                {breaches.map((what, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a static list that is never reordered
                  <li key={index}>{what}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
