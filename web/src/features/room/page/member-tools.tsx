import { RoomStatus, RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import type { Tool } from '../state/tool.ts'

const FlowDialog = lazyPart(async () => (await import('../../bank/flow-dialog.tsx')).FlowDialog)
const BankDialog = lazyPart(async () => (await import('../../bank/bank-dialog.tsx')).BankDialog)

/** ROOM-03: turnover and bank accounts of a room's member, if the user may see them. */
export const useMemberTools = (room: RoomSummary): { tools: Tool[]; dialogs: ReactNode } => {
  const { t } = useWords()
  const own = useCall('user/view', {})
  const [open, setOpen] = useState<'flow' | 'bank'>()
  if (room.type !== RoomType.member) return { tools: [], dialogs: null }
  const close = () => setOpen(undefined)
  const tools: Tool[] = []
  if (own.data?.cs_flow_limit_button_visible === 1)
    tools.push({
      icon: 'turnover',
      word: t('flow.title'),
      command: 'flow',
      inHeader: true,
      press: () => setOpen('flow'),
    })
  // BANK-02
  if (room.isThird === 1 && room.status !== RoomStatus.ai)
    tools.push({ icon: 'bank', word: t('bank.title'), inHeader: true, press: () => setOpen('bank') })
  const dialogs = (
    <Suspense>
      {open === 'flow' && <FlowDialog room={room} onClose={close} />}
      {open === 'bank' && <BankDialog room={room} onClose={close} />}
    </Suspense>
  )
  return { tools, dialogs }
}
