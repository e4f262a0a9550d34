import type { Answer } from '@tallyroom/contract'
import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import { TransferKind } from '@tallyroom/contract/codes'
import { formatPoints } from '@tallyroom/contract/points'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { signPoints } from '../../api/passkey.ts'
import { refresh, useCall } from '../../api/use-call.ts'
import { rooms } from '../../chat/model/chat-session.ts'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { useWords } from '../../i18n/i18n.ts'
import { notify } from '../../ui/overlay/message.tsx'
import { nameOf } from '../../ui/person.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { type Bound, PointsDialog } from '../points/points-dialog.tsx'
import { type MemberView, type Offer, shortest } from '../points/points-kinds.ts'
import { PointsOpening } from '../points/points-opening.tsx'
import { lastLookOf } from './last-look.tsx'
import { useLease } from './use-lease.ts'

type Props = { row: CashRow; own: Answer<'user/view'>; onPaid: () => void; onClose: () => void }

/** Pays a request in the points dialog, bound to the request's card, room and member. */
export const PayDialog = ({ row: now, own, onPaid, onClose }: Props) => {
  const { t } = useWords()
  const cache = useQueryClient()
  // What the payer looks at stays, and is what the server compares with: the list may be loaded again meanwhile.
  const [row] = useState(now)
  const reference = useRef('')
  const member = useCall('member/view', { member_id: row.member_id })
  useLease(row.id, true)
  if (!member.data) return <PointsOpening refused={member.error?.message} onClose={onClose} />
  const isOut = row.direction === 'out'
  const values = { amount: exactAmount(row.amount), name: nameOf(row) }
  const lists = ['cash/list', 'cash/open', 'cash/day'] as const
  const bound: Bound = {
    kind: isOut ? TransferKind.receive : TransferKind.send,
    amount: shortest(pointsOf(row.amount)),
    title: t('requests.one', { n: row.id }),
    confirm: (transfer) => lastLookOf({ t, row, reference }, transfer),
    sign: (requestId) => signPoints({ call: 'cash/pay', id: row.id, amount: row.amount, request: requestId }),
    send: async (terms) => {
      const seen = isOut ? { account_version: row.account_version } : {}
      // Ticked: without it nothing is sent.
      const looked = row.maybe_paid ? { looked: 1 as const } : {}
      const bank_reference = reference.current.trim()
      try {
        return await call('cash/pay', { id: row.id, amount: row.amount, bank_reference, ...seen, ...looked, ...terms })
      } catch (error) {
        // The drawer then shows what has changed.
        void refresh(cache, lists)
        throw error
      }
    },
    onMoved: (waits) => {
      notify.done(waits ? t('approval.asked') : t(isOut ? 'requests.done_out' : 'requests.done_in', values))
      void rooms.sync(row.code)
      void refresh(cache, lists)
      onPaid()
    },
  }
  return <PointsDialog room={row} own={own} member={asAsked(member.data, row)} bound={bound} onClose={onClose} />
}

/** The member as the dialog needs it: it has consented by asking, and points out are held outside its balance. */
const asAsked = (member: MemberView, row: CashRow): MemberView => {
  const { amount, direction, balance, turnover_due } = row
  const asked = { ...member, consent_needed: 0, transaction_all: 0, turnover_due } as const
  if (direction === 'in') return asked
  const isDue = pointsOf(turnover_due) > 0n
  const offer = { type: TransferKind.receive, most: null, last: null } as const
  const limit = member.offers.find(({ type }) => type === TransferKind.receive)?.limit
  const offers: Offer[] = [
    { ...offer, ...(limit ? { limit } : {}), refused: isDue ? 'transfer.flow_limit_open' : null },
  ]
  return { ...asked, offers, balance: formatPoints(pointsOf(balance) + pointsOf(amount)) }
}
