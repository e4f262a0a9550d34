import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { bankRules, menuPage, ownAccount, systemSetting } from '../../testing/fixtures.ts'
import { alerts, button, field, fill, renderOffice } from '../../testing/render.tsx'
import { SystemPage } from './system-page.tsx'

/** What the cards of the top account load. */
const answerCards = () => {
  server.answers('bank_setting/view', bankRules())
  server.answers('orderType/list', { data: [] })
  server.answers('apiKey/list', { data: [] })
  server.answers('endpoint/list', { data: [] })
  server.answers('factor/required', { roles: [] })
  server.answers('change/rules', { kinds: [] })
}
const adminPage = menuPage('/setup/system', { may: ['bank_setting/view', 'change/rules', 'setting.api_url'] })
const open = async (setting = systemSetting(), page = menuPage('/setup/system')) => {
  answerCards()
  server.answers('userMenu/list', [page])
  server.answers('user/view', ownAccount())
  server.answers('setting/view', setting)
  const view = await renderOffice(<SystemPage />)
  await waitFor(() => expect(field(t('setting.room_name'))).toBeTruthy())
  return view
}
type User = Awaited<ReturnType<typeof open>>['user']
const save = (user: User) => user.click(screen.getAllByRole('button', { name: t('action.save') })[0] as HTMLElement)

test('leaving with changes asks; saved ones are not asked about', async () => {
  server.answers('setting/save', null)
  const { user, router } = await open()
  const leave = () => act(() => router.history.push('/other'))
  await fill(user, t('setting.room_name'), 'New name')
  leave()
  await screen.findByText(t('dialog.not_saved'))
  await user.click(button(t('dialog.keep_editing')))
  expect(field(t('setting.room_name')).value).toBe('New name')
  await save(user)
  await screen.findByText(t('done.saved'))
  leave()
  await waitFor(() => expect(router.state.location.pathname).toBe('/other'))
})

test('[SET-01] an agent changes the name and the colours of its rooms', async () => {
  server.answers('setting/save', null)
  const { user } = await open()
  await fill(user, t('setting.room_name'), 'N'.repeat(60))
  await fill(user, t('setting.background_color'), '#AABBCC')
  await save(user)
  expect(await screen.findByText(t('done.saved'))).toBeTruthy()
  expect(server.asked('setting/save')).toEqual([
    {
      request_id: expect.any(String),
      name: 'N'.repeat(50),
      background_image: '',
      background_color: '#AABBCC',
      header_background_color: '',
      header_font_color: '',
      late_after: 2,
      overdue_after: 5,
      cash_requests: 0,
      odd_cents: 0,
      owned_by_answer: 1,
    },
  ])
})

test('[DESK-11] an agent switches off that who answers owns the conversation', async () => {
  server.answers('setting/save', null)
  const { user } = await open()
  await user.click(screen.getByRole('checkbox', { name: t('setting.owned_by_answer') }))
  await save(user)
  await screen.findByText(t('done.saved'))
  expect(server.asked('setting/save')).toMatchObject([{ owned_by_answer: 0, cash_requests: 0 }])
})

test('[SET-02] a stored background image is left out of what is saved', async () => {
  server.answers('setting/save', null)
  const { user } = await open(systemSetting({ background_image: 'https://img.example/a.png' }))
  await save(user)
  await screen.findByText(t('done.saved'))
  expect(server.asked('setting/save')[0]).not.toHaveProperty('background_image')
})

test('[SET-01] what is no colour is said, and nothing is sent', async () => {
  const { user } = await open()
  await fill(user, t('setting.header_font_color'), 'red')
  await save(user)
  expect(alerts()).toEqual([t('setting.colour_invalid')])
  expect(server.asked('setting/save')).toEqual([])
})

test.each(['1,5', '1 5', '0x10', '1e1', '15 min', '-5', '0', '1441', ''])(
  '[SET-01] [TEXT-02] %j minutes are refused as they are typed',
  async (typed) => {
    const { user } = await open(systemSetting({ late_after: 2, overdue_after: 60 }))
    await user.clear(field(t('setting.late_after')))
    if (typed) await user.type(field(t('setting.late_after')), typed)
    expect(field(t('setting.late_after')).value).toBe(typed)
    await save(user)
    expect(alerts()).toContain(t('setting.wait_order'))
    expect(server.asked('setting/save')).toEqual([])
  },
)

test('[SET-01] [TEXT-02] minutes are taken in the digits of each language', async () => {
  server.answers('setting/save', null)
  const { user } = await open()
  await fill(user, t('setting.late_after'), '১৫')
  await fill(user, t('setting.overdue_after'), '၃၀')
  await save(user)
  await screen.findByText(t('done.saved'))
  expect(server.asked('setting/save')[0]).toMatchObject({ late_after: 15, overdue_after: 30 })
})

test('[SET-04] colours that cannot be read together are said before they are saved', async () => {
  const { user } = await open()
  await fill(user, t('setting.header_background_color'), '#ffffff')
  await fill(user, t('setting.header_font_color'), '#fefefe')
  expect(await screen.findByText(t('setting.contrast', { ratio: '1.0' }))).toBeTruthy()
})

test('[SET-03] [FIRST-01] before anything is set up an alert says so without alarm, and the form begins empty', async () => {
  answerCards()
  server.answers('user/view', ownAccount())
  server.refuses('setting/view', 'setting.not_set_up')
  await renderOffice(<SystemPage />)
  await waitFor(() => expect(alerts()).toEqual([wordsOf('setting.not_set_up')]))
  expect(screen.getByText(t('setting.standard_look'))).toBeTruthy()
  expect(document.querySelector('.alert')).toBeNull()
  expect(field(t('setting.room_name')).value).toBe('')
})

test.each([
  ['an agent', menuPage('/setup/system'), false, false],
  ['a sub-admin', adminPage, false, true],
  ['the top account', adminPage, true, true],
])(
  '[SET-01] [CODE-04] %s sees address and keys, and the bank rules, by its rights',
  async (_, page, isTop, isAdmin) => {
    await open(systemSetting({ is_top: isTop }), page)
    const isLoaded = (name: 'bank_setting/view' | 'apiKey/list') => server.asked(name).length > 0
    await waitFor(() => expect([isLoaded('bank_setting/view'), isLoaded('apiKey/list')]).toEqual([isAdmin, isTop]))
    expect(screen.queryByText(t('setting.api_url')) !== null).toBe(isTop)
  },
)

test('[SET-01] a refusal keeps the form and asks for the own password when it wants one', async () => {
  server.once.refuses('setting/save', 'session.needs_password')
  server.answers('setting/save', null)
  const { user } = await open(systemSetting({ is_top: true }), adminPage)
  await fill(user, t('setting.api_url'), 'https://platform.example')
  await save(user)
  await screen.findByText(t('session.password_hint'))
  expect(alerts()).not.toContain(wordsOf('session.needs_password'))
  await fill(user, t('payment.login_password'), 'own-one')
  await save(user)
  await screen.findByText(t('done.saved'))
  expect(server.asked('setting/save')[1]).toMatchObject({
    api_url: 'https://platform.example',
    current_password: 'own-one',
  })
})

test('[WIRE-04] a page that does not load says why, and "Try again" loads it', async () => {
  answerCards()
  server.answers('user/view', ownAccount())
  server.once.refuses('setting/view', 'server.busy')
  server.answers('setting/view', systemSetting())
  const { user } = await renderOffice(<SystemPage />)
  await waitFor(() => expect(alerts()).toEqual([wordsOf('server.busy')]))
  await user.click(button(t('action.try_again')))
  await waitFor(() => expect(field(t('setting.room_name'))).toBeTruthy())
})
