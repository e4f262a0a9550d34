import type { Points } from '@tallyroom/contract/points'
import type { ReactNode } from 'react'
import { Amount } from '../../ui/amount.tsx'

/** A wallet that a transfer changes, by its owner's name. */
export type WalletChange = { owner: ReactNode; before: Points; after: Points; unlimited?: boolean }

/** The wallets of both sides before and after, the paying one first. */
export const Wallets = ({ changes }: { changes: readonly WalletChange[] }) => (
  <dl className="wallets">
    {changes.map(({ owner, before, after, unlimited = false }, place) => (
      <div key={place}>
        <dt>{owner}</dt>
        <dd>{before !== after && !unlimited && <Amount exact value={before} />}</dd>
        <dd className={after < 0n && after < before && !unlimited ? 'wallet-short' : undefined}>
          {before !== after && !unlimited && <span aria-hidden="true">→ </span>}
          <b>
            <Amount exact value={after} unlimited={unlimited} />
          </b>
        </dd>
      </div>
    ))}
  </dl>
)
