import type { Answer } from '@tallyroom/contract'
import { Role } from '@tallyroom/contract/codes'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { menuPage, ownAccount } from '../../testing/fixtures.ts'
import { renderOffice } from '../../testing/render.tsx'
import { RightsPage } from './rights-page.tsx'

type View = Answer<'right/view'>
type ExplainedRight = View['rights'][number]
const right = (name: string, fields: Partial<ExplainedRight> = {}): ExplainedRight => {
  const [page = '', action = ''] = name.split('.')
  const own = { is_given: true, hours: null, decided: null, above: '', may_give: true, may_take: true }
  return { name, page, action, has: true, why: 'role', ...own, ...fields }
}
const DANA = { by: 'Dana', at: '2026-11-03 10:00:00' }

let view: View
beforeEach(() => {
  const mika = { id: 9, role_id: Role.customerService, username: 'mika', nickname: 'Mika', is_self: false } as const
  view = { ...mika, rights: [right('chat'), right('user'), right('user.deposit')] }
  server.answers('right/view', () => view)
})
const open = async () => {
  const page = await renderOffice(<RightsPage />, { path: '/rights/{-$id}', address: '/rights/9' })
  await screen.findByRole('heading', { name: t('right.title', { name: 'Mika' }) })
  return page
}
const label = {
  get chat() {
    return t('right.open', { page: t('menu.chat') })
  },
  get deposit() {
    return t('right.user_deposit')
  },
}
const lineOf = (name: string) => within(screen.getByText(name).closest('li') as HTMLElement)

describe('[RIGHT-02] what NAME may do, and through whom', () => {
  test.each<[string, Partial<ExplainedRight>, () => string]>([
    ['the role', {}, () => t('right.why_role', { role: t('role.customer_service') })],
    ['given', { why: 'given', decided: DANA }, () => t('right.why_given', { name: 'Dana', at: '2026-11-03 10:00' })],
    [
      'taken',
      { has: false, why: 'taken', is_given: false, decided: DANA },
      () => t('right.why_taken', { name: 'Dana', at: '2026-11-03 10:00' }),
    ],
    ['not given', { has: false, why: 'not_given', is_given: false }, () => t('right.why_not_given')],
    ['an account above', { has: false, why: 'above', above: 'Ravi' }, () => t('right.why_above', { name: 'Ravi' })],
    [
      'an unknown account above',
      { has: false, why: 'above' },
      () => t('right.why_above', { name: t('right.somebody') }),
    ],
    [
      'its hours',
      { has: false, why: 'hours', decided: DANA, hours: { from: '08:00', until: '20:00' } },
      () => t('right.why_hours', { name: 'Dana', at: '2026-11-03 10:00' }),
    ],
    ['its page', { has: false, why: 'page' }, () => t('right.why_page', { page: t('menu.user') })],
  ])('each right says why: %s', async (_, fields, words) => {
    view.rights[2] = right('user.deposit', fields)
    await open()
    const line = lineOf(label.deposit)
    expect(line.getByText(words())).toBeTruthy()
    expect(line.getByRole('img', { name: t(fields.has === false ? 'right.no' : 'right.yes') })).toBeTruthy()
  })

  test('of oneself nothing can be changed', async () => {
    const rights = view.rights.map((right) => ({ ...right, may_give: false, may_take: false }))
    view = { ...view, is_self: true, rights }
    await renderOffice(<RightsPage />, { path: '/rights/{-$id}', address: '/rights' })
    await screen.findByRole('heading', { name: t('right.title_own') })
    expect(server.asked('right/view')).toEqual([{}])
    expect(screen.queryAllByRole('switch')).toEqual([])
    expect(screen.queryByRole('button', { name: t('action.save') })).toBeNull()
  })

  test('a right is found by a part of its words', async () => {
    const { user } = await open()
    await user.type(screen.getByLabelText(t('right.find')), 'DEPOSIT')
    expect(screen.queryByText(label.chat)).toBeNull()
    expect(screen.getByText(label.deposit)).toBeTruthy()
    await user.type(screen.getByLabelText(t('right.find')), 'zzz')
    expect(screen.getByText(t('right.none'))).toBeTruthy()
  })
})

describe('[RIGHT-01] giving and taking', () => {
  test('only what was changed is sent, and the answer is shown', async () => {
    const { user } = await open()
    const save = screen.getByRole<HTMLButtonElement>('button', { name: t('action.save') })
    expect(save.disabled).toBe(true)
    await user.click(screen.getByRole('switch', { name: label.deposit }))
    const taken = right('user.deposit', { has: false, why: 'taken', is_given: false, decided: DANA })
    server.answers('right/save', () => ({ ...view, rights: [right('chat'), right('user'), taken] }))
    await user.click(save)
    await lineOf(label.deposit).findByText(t('right.why_taken', { name: 'Dana', at: '2026-11-03 10:00' }))
    expect(server.asked('right/save')).toMatchObject([
      { id: 9, rights: [{ name: 'user.deposit', given: false, hours: null }] },
    ])
  })

  test('hours of the day are chosen; equal ends are not sent', async () => {
    const { user } = await open()
    const line = lineOf(label.chat)
    await user.click(line.getByRole('button', { name: t('right.hours_of', { right: label.chat }) }))
    const [from, until] = [line.getByLabelText(t('right.from')), line.getByLabelText(t('right.until'))]
    await user.clear(from)
    await user.type(from, '20:00')
    const save = screen.getByRole('button', { name: t('action.save') })
    await user.click(save)
    expect(line.getByText(t('right.hours_same'))).toBeTruthy()
    await user.clear(until)
    await user.type(until, '06:00')
    expect(line.getAllByText(t('right.next_day')).length).toBeGreaterThan(0)
    server.answers('right/save', () => view)
    await user.click(save)
    await waitFor(() =>
      expect(server.asked('right/save')).toMatchObject([
        { rights: [{ name: 'chat', given: true, hours: { from: '20:00', until: '06:00' } }] },
      ]),
    )
  })

  test('leaving with changes asks; saved ones are not asked about', async () => {
    const { user, router } = await open()
    await user.click(screen.getByRole('switch', { name: label.deposit }))
    act(() => router.history.push('/other'))
    await screen.findByText(t('dialog.not_saved'))
    await user.click(screen.getByRole('button', { name: t('dialog.keep_editing') }))
    expect(screen.getByRole<HTMLInputElement>('switch', { name: label.deposit }).checked).toBe(false)
    server.answers('right/save', () => ({ ...view, rights: [...view.rights.slice(0, 2), right('user.deposit')] }))
    await user.click(screen.getByRole('button', { name: t('action.save') }))
    await screen.findByText(t('right.saved'))
    act(() => router.history.push('/other'))
    await waitFor(() => expect(router.state.location.pathname).toBe('/other'))
  })

  test('Enter in the search saves nothing', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('switch', { name: label.deposit }))
    await user.type(screen.getByLabelText(t('right.find')), 'deposit{Enter}')
    expect(server.asked('right/save')).toEqual([])
  })

  test('a refusal is said, and what was chosen stays', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('switch', { name: label.deposit }))
    server.refuses('right/save', 'right.decided_above')
    await user.click(screen.getByRole('button', { name: t('action.save') }))
    await screen.findByText(t('right.decided_above'))
    expect(screen.getByRole<HTMLInputElement>('switch', { name: label.deposit }).checked).toBe(false)
  })

  test('what the viewer may not give cannot be switched on', async () => {
    view.rights[2] = right('user.deposit', { has: false, why: 'taken', is_given: false, may_give: false })
    await open()
    expect(screen.getByRole<HTMLInputElement>('switch', { name: label.deposit }).disabled).toBe(true)
  })
})

test('[RIGHT-02] abilities and limits are a press away, for those who may edit the account', async () => {
  server.answers('user/path', { path: [] })
  server.answers('user/view', ownAccount({ id: 9, role_id: Role.customerService, username: 'mika', nickname: 'Mika' }))
  const first = await open()
  expect(screen.queryByRole('button', { name: t('right.abilities') })).toBeNull()
  first.unmount()
  server.answers('userMenu/list', [
    menuPage('/customer_service', { role_id: Role.customerService, action: 'edit', may: ['user/abilities'] }),
  ])
  const { user } = await open()
  await user.click(await screen.findByRole('button', { name: t('right.abilities') }))
  const dialog = within(await screen.findByRole('dialog', { name: new RegExp(`^${t('right.abilities')}`) }))
  for (const section of ['ability.title', 'limit.title'] as const) expect(dialog.getByText(t(section))).toBeTruthy()
  expect(dialog.queryByRole('link')).toBeNull()
})
