import { TransferStatus } from '@tallyroom/contract/codes'
import { views } from '@tallyroom/contract/transfer-kinds'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../../api/use-call.ts'
import { CashStatus } from '../../../domain/cash-status.tsx'
import { Moment, RowStatus } from '../../../domain/transfer-cells.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import { Amount } from '../../../ui/amount.tsx'
import { lastMonth, meta } from './last-month.ts'
import type { PanelMember } from './panel-member.ts'
import { None, Part } from './part.tsx'

type Props = { room: PanelMember; hasCash: boolean; hasLog: boolean }

/** What is open with the member, each thing once: its request, and what it or an approver has not answered. */
export const Now = ({ room, hasCash, hasLog }: Props) => {
  const { t } = useWords()
  const { member_id } = room
  const cashRequests = useCall('cash/list', { states: ['asked', 'taken'], member_id }, { enabled: hasCash, meta })
  const offers = useCall(
    'redEnvelope/record',
    { member_id, ...lastMonth(), page: 1, per_page: 100 },
    { enabled: hasLog, meta },
  )
  const cashRequest = cashRequests.data?.data[0]
  // What a member asked for is held too: the request says so.
  const open = offers.data?.data.filter(
    ({ status, request: cashState }) => status === TransferStatus.pending && !cashState,
  )
  const query = {
    error: cashRequests.error ?? offers.error,
    isPending: (hasCash && cashRequests.isPending) || (hasLog && offers.isPending),
    refetch: () => Promise.all([hasCash && cashRequests.refetch(), hasLog && offers.refetch()]),
  }
  return (
    <Part title={t('panel.now')} query={query}>
      {!cashRequest && !open?.length && <None text={t('panel.nothing_open')} />}
      <ul>
        {cashRequest && (
          <li>
            <Link to="/cash" search={{ request: cashRequest.id }}>
              {t(cashRequest.direction === 'out' ? 'cash.out' : 'cash.in')}
            </Link>
            <Amount exact value={cashRequest.amount} way={cashRequest.direction} />
            <p>
              <CashStatus state={cashRequest.state} approval={cashRequest.approval} />
            </p>
          </li>
        )}
        {open?.map((row) => (
          <li key={row.transaction_id}>
            <span>{t((row.type === 1 ? views.to : views.from).word)}</span>
            <Amount value={row.amount} />
            {row.approval ? (
              <p>
                <RowStatus row={row} envelope />
              </p>
            ) : (
              <Moment at={row.created_at} />
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}
