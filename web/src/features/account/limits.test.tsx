import type { Answer } from '@tallyroom/contract'
import { Role, TransferKind } from '@tallyroom/contract/codes'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { accountRow } from '../../testing/fixtures.ts'
import { button, field, renderOffice } from '../../testing/render.tsx'
import { EditDialog } from './edit-dialog.tsx'

type Limit = Answer<'limit/view'>['limits'][number]
const none = { transfer: null, hour: null, day: null, member: null }
const limitOf = (type: Limit['type'], own: Partial<Limit> = {}): Limit => ({
  type,
  ...none,
  effective: none,
  above: none,
  used: { hour: '0.0000', day: '0.0000' },
  ...own,
})
const open = async (limits: Limit[]) => {
  server.answers('limit/view', { id: 20, username: 'mika', limits, ceiling: { envelope: null, day: null } })
  const view = await renderOffice(
    <EditDialog row={accountRow({ role_id: Role.customerService })} mayFreeze={false} onClose={() => {}} />,
  )
  await view.user.click(await screen.findByText(t('limit.title')))
  const add = await screen.findByRole('combobox', { name: t('limit.add') })
  return { ...view, add }
}
beforeEach(() => {
  server.answers('user/path', { path: [] })
  server.answers('session/listOf', { data: [] })
  server.answers('user/edit', null)
  server.answers('limit/save', null)
})

test('[CAPS-01] only the limits that are set are shown, each with what holds from above and whose it is', async () => {
  const above = { ...none, transfer: { most: '200.0000', of: 'Dana' }, day: { most: '5000.0000', of: '' } }
  const own = limitOf(TransferKind.send, { transfer: '100.0000', above })
  const { add } = await open([own, limitOf(TransferKind.receive)])
  // The choice has groups of the same names.
  const fieldsets = (name: string) => screen.queryAllByRole('group', { name }).filter((one) => one.matches('fieldset'))
  const [found] = fieldsets(t('transfer.kind_in'))
  const group = within(found as HTMLElement)
  expect(group.getAllByRole<HTMLInputElement>('textbox').map(({ value, placeholder }) => [value, placeholder])).toEqual(
    [
      ['100', '200.00'],
      ['', '5,000.00'],
    ],
  )
  expect(group.getByText('Limit of Dana: 200.00')).toBeTruthy()
  expect(group.getByText(`Limit of ${t('right.somebody')}: 5,000.00`)).toBeTruthy()
  expect(fieldsets(t('transfer.kind_out'))).toEqual([])
  const offered = within(add).getAllByRole('group')[0] as HTMLElement
  expect(
    within(offered)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual([t('limit.hour'), t('limit.member')])
})

test('[CAPS-01] without a limit it says so, and one that is added has the focus and is saved', async () => {
  const { user, add } = await open([limitOf(TransferKind.send), limitOf(TransferKind.receive)])
  expect(screen.getByText(t('limit.none'))).toBeTruthy()
  await user.selectOptions(add, `${TransferKind.receive}/day`)
  expect(document.activeElement).toBe(field(t('limit.day')))
  await user.keyboard('700')
  await user.click(button(t('action.save')))
  await waitFor(() =>
    expect(server.asked('limit/save')).toMatchObject([
      { id: 20, limits: [{ type: TransferKind.receive, transfer: null, hour: null, day: '700', member: null }] },
    ]),
  )
})

test('[CAPS-01] [TEXT-01] a point alone is no limit of 0', async () => {
  const { user } = await open([limitOf(TransferKind.send, { transfer: '100.0000' })])
  for (const text of ['.', ',']) {
    await user.clear(field(t('limit.transfer')))
    await user.type(field(t('limit.transfer')), text)
    await user.click(button(t('action.save')))
    expect(await screen.findByText(t('amount.not_one'))).toBeTruthy()
  }
  expect(server.asked('limit/save')).toEqual([])
  await user.clear(field(t('limit.transfer')))
  await user.type(field(t('limit.transfer')), '.5')
  await user.click(button(t('action.save')))
  await waitFor(() => expect(server.asked('limit/save')).toMatchObject([{ limits: [{ transfer: '0.5' }] }]))
})

test('[RIGHT-02] [CAPS-01] from here a link leads to the pages and actions of the account', async () => {
  await open([])
  const link = screen.getByRole('link', { name: t('right.pages_of', { name: 'Mia' }) })
  expect(link.getAttribute('href')).toBe('/rights/20')
})
