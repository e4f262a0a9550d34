import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { BotCard } from './bot-card.tsx'

test('[CHAT-03] a click on the words turns the switch too', async () => {
  const view = { allowed: 1, ai_rooms: 0, endpoint: 0, templates: 2 } as const
  server.answers('ai/view', view)
  server.answers('ai/save', { ...view, ai_rooms: 1 })
  const { user } = await renderOffice(<BotCard />)
  await user.click(await screen.findByText(t('ai.new_rooms')))
  await waitFor(() => expect(server.asked('ai/save')).toEqual([{ ai_rooms: 1, request_id: expect.any(String) }]))
  expect(screen.getByRole('switch', { name: t('ai.new_rooms') })).toBeTruthy()
})
