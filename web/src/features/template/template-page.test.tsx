import { screen, waitFor, within } from '@testing-library/react'
import { TemplateType } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { quickReply } from '../../testing/fixtures.ts'
import { alerts, button, field, fill, renderOffice } from '../../testing/render.tsx'
import { TemplatePage } from './template-page.tsx'

const open = async (data = [quickReply()]) => {
  server.answers('message-template/list', { data })
  const view = await renderOffice(<TemplatePage />)
  await screen.findByText(data[0]?.title ?? t('template.empty_next'))
  return view
}
const dialog = () => screen.queryByRole('dialog')

test('[TMPL-01] a new reply is sent as general, said, and the list is loaded again', async () => {
  server.answers('message-template/create', { id: 4 })
  const { user } = await open([])
  await user.click(button(t('template.add')))
  await fill(user, t('template.title'), 'T'.repeat(60))
  await fill(user, t('template.content'), 'Good evening')
  await fill(user, t('template.memo'), 'M'.repeat(60))
  await user.selectOptions(field(t('template.type')), t('template.type_3'))
  await user.click(button(t('account.create')))
  await waitFor(() => expect(dialog()).toBeNull())
  expect(server.asked('message-template/create')).toEqual([
    {
      request_id: expect.any(String),
      type: TemplateType.general,
      title: 'T'.repeat(50),
      content: 'Good evening',
      memo: 'M'.repeat(50),
    },
  ])
  expect(screen.getByText(t('done.created'))).toBeTruthy()
  await waitFor(() => expect(server.asked('message-template/list')).toHaveLength(2))
})

test('[TMPL-01] title and content are needed, and blanks do not count', async () => {
  const { user } = await open()
  await user.click(button(t('template.add')))
  await fill(user, t('template.content'), '   ')
  await user.click(button(t('account.create')))
  expect(alerts()).toEqual([t('field.needed'), t('field.needed')])
  expect(server.asked('message-template/create')).toEqual([])
})

test('[ROOM-08] what looks like a placeholder and is none is named while it is typed', async () => {
  const { user } = await open()
  await user.click(button(t('template.add')))
  const said = () => within(screen.getByRole('dialog')).getByRole('status').textContent
  await fill(user, t('template.content'), 'Dear {nickname}, {balance} {bank} {Nickname} {bank} { }')
  expect(said()).toBe(t('template.unknown', { words: '{bank} {Nickname}' }))
  await user.clear(field(t('template.content')))
  expect(said()).toBe('')
})

test('[TMPL-01] the types to choose from are general and customer service', async () => {
  const { user } = await open()
  await user.click(button(t('template.add')))
  const options = within(field(t('template.type'))).getAllByRole('option')
  expect(options.map(({ textContent }) => textContent)).toEqual([t('template.type_1'), t('template.type_3')])
})

test('[TMPL-02] a private reply keeps its type', async () => {
  server.answers('message-template/update', null)
  const { user } = await open([quickReply({ type: TemplateType.private })])
  await user.click(button(t('action.edit')))
  expect(field(t('template.type'))).toHaveProperty('disabled', true)
  await fill(user, t('template.title'), 'Hi')
  await user.click(button(t('action.save')))
  await waitFor(() => expect(dialog()).toBeNull())
  expect(server.asked('message-template/update')[0]).toMatchObject({
    targetID: 3,
    type: TemplateType.private,
    title: 'Hi',
  })
})

test('[TMPL-01] a refusal keeps the dialog open with what was typed; a lost answer is said', async () => {
  server.once.refuses('message-template/create', 'message.not_an_image')
  server.once.losesAnswer('message-template/create')
  const { user } = await open()
  await user.click(button(t('template.add')))
  await fill(user, t('template.title'), 'Hi')
  await fill(user, t('template.content'), 'there')
  await user.click(button(t('account.create')))
  await waitFor(() => expect(server.asked('message-template/create')).toHaveLength(1))
  expect(alerts()).toEqual([])
  expect(field(t('template.title')).value).toBe('Hi')
  await user.click(button(t('account.create')))
  await waitFor(() => expect(alerts()).toEqual([t('network.failed')]))
  expect(dialog()).toBeTruthy()
})

test('[TMPL-01] deleting asks first and names the title', async () => {
  server.answers('message-template/delete', null)
  const { user } = await open()
  await user.click(button(t('action.delete')))
  const box = within(await screen.findByRole('dialog'))
  expect(box.getByText(t('template.confirm_delete'))).toBeTruthy()
  expect(box.getByText('Hello')).toBeTruthy()
  expect(server.asked('message-template/delete')).toEqual([])
  await user.click(box.getByRole('button', { name: t('action.delete') }))
  await waitFor(() => expect(dialog()).toBeNull())
  expect(server.asked('message-template/delete')).toEqual([{ request_id: expect.any(String), targetID: 3 }])
})

test('[TMPL-01] what is typed in the search narrows the list, and nothing found says so', async () => {
  const { user } = await open([quickReply(), quickReply({ id: 4, title: 'Bonus', content: 'Ten percent' })])
  await fill(user, t('template.search'), 'bonus')
  await waitFor(() => expect(screen.queryByText('Hello')).toBeNull())
  expect(screen.getByText('Bonus')).toBeTruthy()
  await fill(user, t('template.search'), 'zzzz')
  expect(await screen.findByText(t('template.none_found', { text: 'zzzz' }))).toBeTruthy()
})

test('[WIRE-04] a list that fails says why, and "Try again" loads it', async () => {
  server.answers('message-template/list', { data: [quickReply()] })
  server.once.refuses('message-template/list', 'server.busy')
  const { user } = await renderOffice(<TemplatePage />)
  await waitFor(() => expect(alerts()).toEqual([expect.stringContaining(wordsOf('server.busy'))]))
  await user.click(button(t('action.try_again')))
  expect(await screen.findByText('Hello')).toBeTruthy()
})
