import type { RoomSummary } from '@tallyroom/contract/events'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useCall } from '../../use-call.ts'
import { useWords } from '../../words.ts'

const FlowDialog = lazy(async () => ({ default: (await import('../bank/flow-dialog.tsx')).FlowDialog }))
const BankDialog = lazy(async () => ({ default: (await import('../bank/bank-dialog.tsx')).BankDialog }))

/** ROOM-03: the flow limits and the bank accounts of a room's member, for those who may see them. */
export const MemberButtons = ({ room }: { room: RoomSummary }) => {
  const { t } = useWords()
  const own = useCall('user/view', {})
  const [open, setOpen] = useState<'flow' | 'bank'>()
  if (room.type !== 1) return null
  const close = () => setOpen(undefined)
  const hasFlow = own.data?.cs_flow_limit_button_visible === 1
  // BANK-02
  const hasBank = room.isThird === 1 && room.status !== 3
  const button = (what: 'flow' | 'bank', word: string) => (
    <button type="button" className="c-round" aria-label={word} data-tip={word} onClick={() => setOpen(what)}>
      <Icon name={what === 'flow' ? 'refresh' : 'wallet'} />
    </button>
  )
  return (
    <>
      {hasFlow && button('flow', t('flow.title'))}
      {hasBank && button('bank', t('bank.title'))}
      <Suspense>
        {open === 'flow' && <FlowDialog room={room} onClose={close} />}
        {open === 'bank' && <BankDialog room={room} onClose={close} />}
      </Suspense>
    </>
  )
}
