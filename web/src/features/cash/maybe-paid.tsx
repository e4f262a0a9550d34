import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'

/** `className`: the look of a warning where it is. */
type Props = { of: NonNullable<CashRow['maybe_paid']>; className: string }

/** A key of the member API had the request and may have paid it: which key, and what to look for at the bank. */
export const MaybePaid = ({ of: { key, reference }, className }: Props) => {
  const { t } = useWords()
  return (
    <div className={className}>
      <Icon name="alert" size={16} />
      <div>
        {t('requests.maybe_paid', { key })}
        {reference && (
          <div>
            {t('requests.reference')}: <bdi>{reference}</bdi>
          </div>
        )}
      </div>
    </div>
  )
}
