import { waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { ComposerHandle } from '../../chat/view/composer/composer-plugin.ts'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { memberView, quickReply, roomSummary } from '../../testing/fixtures.ts'
import { button, renderOffice } from '../../testing/render.tsx'
import { QuickReplies } from './quick-replies.tsx'

const hours = quickReply({ id: 3, title: 'Hours', content: 'From nine to five' })
const bonus = quickReply({ id: 4, title: 'Bonus', content: 'Ten percent' })
const bon = quickReply({ id: 5, title: 'Bon', content: 'Bon voyage' })

const composerWith = (text: string): ComposerHandle => ({
  text,
  caret: text.length,
  box: { current: document.createElement('textarea') },
  above: document.body.appendChild(document.createElement('div')),
  write: vi.fn<ComposerHandle['write']>(),
  keys: { current: undefined },
  sent: { current: undefined },
})

const open = async (text: string, data = [hours, bonus]) => {
  server.answers('member/view', memberView())
  server.answers('message-template/list', { data })
  server.answers('message-template/use', null)
  const composer = composerWith(text)
  const view = await renderOffice(<QuickReplies composer={composer} room={roomSummary()} />)
  return { composer, ...view }
}
const titles = () =>
  [...document.querySelectorAll('.c-pick-option .c-pick-title')].map(({ textContent }) => textContent)
const marked = () => document.querySelector('.c-pick-option[aria-selected="true"] .c-pick-title')?.textContent

test('[ROOM-08] opening the list loads it again: what another tab has made meanwhile is in it', async () => {
  const { user } = await open('')
  await waitFor(() => expect(server.asked('message-template/list')).toHaveLength(1))
  server.answers('message-template/list', { data: [bon, hours, bonus] })
  await user.click(button(t('template.quick_replies')))
  // At the end, so that nothing moves below the hand.
  await waitFor(() => expect(titles()).toEqual(['Hours', 'Bonus', 'Bon']))
  await user.keyboard('{Escape}')
  await user.click(button(t('template.quick_replies')))
  await waitFor(() => expect(titles()).toEqual(['Bon', 'Hours', 'Bonus']))
})

test('[ROOM-08] what arrives while the list is open does not change which reply Enter takes', async () => {
  const { user, composer } = await open('')
  await waitFor(() => expect(server.asked('message-template/list')).toHaveLength(1))
  const release = server.delays('message-template/list', {
    data: [bon, hours, { ...bonus, content: 'Twenty percent' }],
  })
  await user.click(button(t('template.quick_replies')))
  await user.keyboard('bon')
  expect(titles()).toEqual(['Bonus'])
  release()
  await waitFor(() => expect(titles()).toHaveLength(2))
  expect(marked()).toBe('Bonus')
  await user.keyboard('{Enter}')
  expect(composer.write).toHaveBeenCalledWith(0, 0, 'Twenty percent')
})

test('[ROOM-08] the marked reply stays until the list closes, also when somebody deletes it', async () => {
  const { user, composer } = await open('')
  await waitFor(() => expect(server.asked('message-template/list')).toHaveLength(1))
  const release = server.delays('message-template/list', { data: [bon] })
  await user.click(button(t('template.quick_replies')))
  await user.keyboard('{ArrowDown}')
  expect(marked()).toBe('Bonus')
  release()
  await waitFor(() => expect(titles()).toEqual(['Bonus', 'Bon']))
  await user.keyboard('{ArrowDown}')
  expect(marked()).toBe('Bon')
  await user.keyboard('{ArrowUp}{Enter}')
  expect(composer.write).toHaveBeenCalledWith(0, 0, 'Ten percent')
})
