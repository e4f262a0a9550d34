import type { Points } from '@tallyroom/contract/points'
import type { ReactNode } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Amount, exactText } from '../../ui/amount.tsx'

/** A wallet that a transfer changes, by its owner's name. */
export type WalletDifference = { owner: ReactNode; before: Points; after: Points; unlimited?: boolean }

/** Letters of both amounts beside which a name still has room, on a phone and in a drawer. */
const BESIDE_NAME = 24

const lettersOf = (amounts: readonly Points[]) => Math.max(...amounts.map((amount) => exactText(amount).length))
/** Whether the names need lines of their own: beside large amounts they broke into a letter a line. */
const areLong = (differences: readonly WalletDifference[]) => {
  const shown = differences.filter(({ unlimited }) => !unlimited)
  if (shown.length === 0) return false
  return lettersOf(shown.map(({ before }) => before)) + lettersOf(shown.map(({ after }) => after)) > BESIDE_NAME
}

/** The wallets of both sides before and after, the paying one first. */
export const Wallets = ({ differences }: { differences: readonly WalletDifference[] }) => (
  <dl className="wallets" data-long={areLong(differences) || undefined}>
    {differences.map((difference, index) => (
      <Wallet key={index} {...difference} />
    ))}
  </dl>
)

const Wallet = ({ owner, before, after, unlimited = false }: WalletDifference) => {
  const { t } = useWords()
  const isChanged = before !== after && !unlimited
  return (
    <div>
      <dt>{owner}</dt>
      <dd>
        {isChanged && (
          <>
            <span className="visually-hidden">{t('history.balance_before')} </span>
            <Amount exact value={before} />
          </>
        )}
      </dd>
      <dd className={after < 0n && after < before && !unlimited ? 'wallet-short' : undefined}>
        {isChanged && (
          <>
            <span className="visually-hidden">{t('history.balance')} </span>
            <span aria-hidden="true">→ </span>
          </>
        )}
        <b>
          <Amount exact value={after} unlimited={unlimited} />
        </b>
      </dd>
    </div>
  )
}
