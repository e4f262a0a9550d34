import type { RoomSummary } from '@tallyroom/contract/events'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Amount } from '../../../ui/amount.tsx'
import { CashStatus } from '../../../domain/cash-status.tsx'
import { Part } from './part.tsx'

/** The member's open request: its card may be far up in the conversation. */
export const OpenCashRequest = ({ room }: { room: RoomSummary }) => {
  const { t } = useWords()
  const cashRequests = useCall(
    'cash/list',
    { states: ['asked', 'taken'], member_id: room.member_id },
    { meta: { optional: true } },
  )
  const row = cashRequests.data?.data[0]
  // Nothing while it loads: most members have none, and what is below would move twice.
  if (!row) return null
  return (
    <Part title={t('requests.one', { n: row.id })} query={cashRequests}>
      <ul>
        <li>
          <Link to="/cash" search={{ request: row.id }}>
            {t(row.direction === 'out' ? 'cash.out' : 'cash.in')}
          </Link>
          <Amount exact value={row.amount} way={row.direction} />
          <p>
            <CashStatus state={row.state} approval={row.approval} />
          </p>
        </li>
      </ul>
    </Part>
  )
}
