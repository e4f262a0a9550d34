import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../i18n/i18n.ts'
import { server } from '../testing/fake-server.ts'
import { message } from '../testing/message-fixtures.ts'
import { button, renderLight } from '../testing/render.tsx'
import { BotLine } from './bot-line.tsx'

const ask = () => button(t('member.ask_person'))

test('[ROOM-09] a person is asked for once, however often the button is pressed', async () => {
  server.answers('sendMessage', message())
  const { user } = renderLight(<BotLine code="asked-once" />)
  await user.dblClick(ask())
  await waitFor(() => expect(server.asked('sendMessage')).toHaveLength(1))
  expect(ask()).toHaveProperty('disabled', true)
  await user.click(ask())
  expect(server.asked('sendMessage')).toHaveLength(1)
})

test('after a refusal the button can be pressed again', async () => {
  server.refuses('sendMessage', 'room.not_found')
  const { user } = renderLight(<BotLine code="asked-again" />)
  await user.click(ask())
  await waitFor(() => expect(server.asked('sendMessage')).toHaveLength(1))
  await waitFor(() => expect(ask()).toHaveProperty('disabled', false))
})
