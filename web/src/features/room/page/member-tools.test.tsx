import { screen, waitFor } from '@testing-library/react'
import { RoomStatus, RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { ownAccount, roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { useMemberTools } from './member-tools.tsx'
import { ToolButtons } from './tools.tsx'

const Bar = ({ room }: { room: RoomSummary }) => {
  const { tools, dialogs } = useMemberTools(room)
  return (
    <>
      <ToolButtons tools={tools} />
      {dialogs}
    </>
  )
}
const FLOW = 'flow.title'
const BANK = 'bank.title'

test.each([
  ['both', {}, { cs_flow_limit_button_visible: 1 }, [FLOW, BANK]],
  ['no turnover without cs_flow_limit_button_visible', {}, {}, [BANK]],
  ['no bank accounts without isThird', { isThird: 0 }, { cs_flow_limit_button_visible: 1 }, [FLOW]],
  ['no bank accounts in an AI room', { status: RoomStatus.ai }, { cs_flow_limit_button_visible: 1 }, [FLOW]],
  ['nothing in the room of an agent', { type: RoomType.agent }, { cs_flow_limit_button_visible: 1 }, []],
] as const)('[ROOM-03] [BANK-02] buttons of a room: %s', async (_, room, own, shown) => {
  server.answers('user/view', ownAccount(own))
  await renderOffice(<Bar room={roomSummary(room)} />)
  await waitFor(() => expect(server.asked('user/view')).toHaveLength(1))
  await waitFor(() =>
    expect(screen.queryAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(
      shown.map((key) => t(key)),
    ),
  )
})

test('[FLOW-01] the turnover of the member opens with what is due', async () => {
  server.answers('user/view', ownAccount({ cs_flow_limit_button_visible: 1 }))
  server.answers('member/flowLimit', { data: [], open: '12.5000', total: 0 })
  const { user } = await renderOffice(<Bar room={roomSummary()} />)
  await user.click(await screen.findByRole('button', { name: t(FLOW) }))
  const dialog = await screen.findByRole('dialog')
  await waitFor(() => expect(dialog.textContent).toContain(t('flow.open', { amount: '12.50' })))
  expect(server.asked('member/flowLimit')).toEqual([{ member_id: 20, page: 1, per_page: 50_000 }])
})
