import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { ownAccount, roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { ToolButtons } from '../page/tools.tsx'
import { useBotTool } from './bot.tsx'

const Bar = () => {
  const { tools, dialog } = useBotTool(roomSummary({ name: 'Mia' }))
  return (
    <>
      <ToolButtons tools={tools} />
      {dialog}
    </>
  )
}

const press = async () => {
  server.answers('user/view', ownAccount({ chat_ai_bot_visible: 1 }))
  const { user } = await renderOffice(<Bar />)
  await user.click(await screen.findByRole('button', { name: t('room.give_to_bot') }))
  return user
}

test('[ROOM-09] a room is handed to the bot at once where the bot answers what is open', async () => {
  server.answers('room/giveToBot', null)
  await press()
  await waitFor(() => expect(server.asked('room/giveToBot')).toEqual([{ room_id: 5, request_id: expect.any(String) }]))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('[ROOM-09] while the member waits for an answer that the bot will not give, it asks first', async () => {
  server.refuses('room/giveToBot', 'room.still_waits')
  const user = await press()
  await screen.findByRole('dialog', { name: t('room.waits_title', { name: 'Mia' }) })
  expect(document.activeElement?.textContent).toBe(t('action.cancel'))
  server.answers('room/giveToBot', null)
  await user.click(screen.getByRole('button', { name: t('room.settle_to_bot') }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.asked('room/giveToBot').map((input) => input.settle)).toEqual([undefined, 1])
})
