import { useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { PointsDialog } from './points-dialog.tsx'
import { takes } from './points-kinds.ts'
import { PointsOpening } from './points-opening.tsx'

type Props = {
  id: number
  /** Only gives (TRF-01). */
  isDeposit?: boolean
  onClose: () => void
}

/** The points of an account in the downline, from its list or the tree. */
export const AccountPoints = ({ id, isDeposit = false, onClose }: Props) => {
  const { t } = useWords()
  const [typed, setTyped] = useState('')
  // What the list has loaded may be hours old.
  const own = useCall('user/view', {}, { staleTime: 0 })
  const account = useCall('member/view', { member_id: id, from: 'list' }, { staleTime: 0 })
  const title = t(isDeposit ? 'deposit.title' : 'transfer.title')
  if (!own.data || !account.data) {
    return (
      <PointsOpening
        title={title}
        refused={account.error?.message ?? own.error?.message}
        onType={(key) => setTyped((text) => (key === 'Backspace' ? text.slice(0, -1) : text + key))}
        onClose={onClose}
      />
    )
  }
  const offers = account.data.offers.filter(({ type }) => !isDeposit || !takes(type))
  return (
    <PointsDialog title={title} own={own.data} member={{ ...account.data, offers }} typed={typed} onClose={onClose} />
  )
}
