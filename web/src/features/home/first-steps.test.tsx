import { screen, waitFor, within } from '@testing-library/react'
import { Role } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { expect, test, onTestFinished } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { menuPage, ownAccount } from '../../testing/fixtures.ts'
import { button, fill, renderOffice } from '../../testing/render.tsx'
import { HomePage } from './home-page.tsx'

type Steps = Answer<'home/steps'>['steps']
const fresh: Steps = [
  { step: 'agent', done: false },
  { step: 'points', done: false },
  { step: 'share', done: false },
  { step: 'conversation', done: false },
  { step: 'factor', done: true },
  { step: 'backup', done: false },
]
type More = Partial<Omit<Answer<'home/steps'>, 'steps'>>
const open = async (steps = fresh, own = ownAccount({ role_id: Role.admin }), more: More = {}) => {
  server.answers('user/view', own)
  server.answers('userMenu/list', [
    menuPage('/agent', { name: 'agent' }),
    menuPage('/customer_service', { name: 'customer_service' }),
  ])
  server.answers('home/view', {
    days: [],
    open: { offers: 0, held: '0.0000', requests: 0, asked: '0.0000' },
    low: [],
    sign_ins: [],
    endpoint_off: false,
  })
  server.answers('home/steps', { steps, ...more })
  return renderOffice(<HomePage />)
}
const card = () => screen.findByRole('region', { name: new RegExp(`^${t('home.steps')}`) })

test('[FIRST-01] Home lists the first steps, with one main button on the first that is not done', async () => {
  await open()
  const steps = within(await card())
  expect(steps.getByText(t('home.steps_done', { done: 1, all: 6 }))).toBeTruthy()
  expect(steps.getAllByRole('listitem').map((item) => item.dataset.done)).toEqual([
    ...Array.from({ length: 4 }, () => 'false'),
    'true',
    'false',
  ])
  expect(document.querySelectorAll('.first-steps .button-main')).toHaveLength(1)
  expect(button(t('account.add_agent')).className).toContain('button-main')
  expect(steps.getByRole('link', { name: t('home.give_points') }).getAttribute('href')).toBe('/agent')
  expect(steps.queryByRole('link', { name: t('security.set_up') })).toBeNull()
})

test('[FIRST-01] [RUN-11] the backup is named by the command of this installation', async () => {
  await open(fresh, undefined, { backup_command: 'tallyroom backup DIR' })
  expect(within(await card()).getByText('tallyroom backup DIR')).toBeTruthy()
})

test('[FIRST-01] [CODE-04] whom the server tells to get points, not to give them, is led nowhere', async () => {
  await open([
    { step: 'service', done: true },
    { step: 'get_points', done: false },
  ])
  const steps = within(await card())
  expect(steps.getByText(t('home.step_get_points'))).toBeTruthy()
  expect(steps.queryByRole('link', { name: t('home.give_points') })).toBeNull()
})

test('[FIRST-01] an agent is added from Home, and the steps are asked for again', async () => {
  const { user } = await open()
  await card()
  await user.click(button(t('account.add_agent')))
  await screen.findByRole('dialog')
  await fill(user, t('account.username'), 'dana')
  await fill(user, t('account.password'), 'secret1')
  await fill(user, t('account.password_again'), 'secret1')
  server.answers('user/addAgent', { id: 30 })
  server.answers('home/steps', { steps: fresh.map((step) => ({ ...step, done: step.done || step.step === 'agent' })) })
  await user.click(button(t('account.create')))
  await screen.findByText(t('home.steps_done', { done: 2, all: 6 }))
  expect(server.asked('user/addAgent')).toEqual([
    expect.objectContaining({ username: 'dana', password: 'secret1', password_confirmation: 'secret1' }),
  ])
})

test('[FIRST-01] the link that is offered, also as a QR code, is that of the agent with the points', async () => {
  const link = 'http://192.168.1.20:3000/Signup/abcd2345'
  const sharer = { name: 'Dana', share_code: 'abcd2345', domain: '' }
  const { user } = await open(fresh, undefined, { sharer, site: 'http://192.168.1.20:3000' })
  const steps = within(await card())
  expect(await steps.findByRole('img', { name: t('share.picture_of', { link }) })).toBeTruthy()
  expect(steps.getByText(t('home.step_share_below', { name: 'Dana' }))).toBeTruthy()
  expect(steps.getByText(t('home.step_conversation_below', { name: 'Dana' }))).toBeTruthy()
  await user.click(button(t('share.copy_of', { name: 'Dana' })))
  expect(await navigator.clipboard.readText()).toBe(link)
})

test('[FIRST-01] the steps are put away, and Undo brings them back', async () => {
  const { user } = await open()
  await card()
  server.answers('home/putAway', null)
  server.answers('home/steps', { steps: [] })
  await user.click(button(t('home.put_away')))
  await waitFor(() => expect(screen.queryByText(t('home.put_away'))).toBeNull())
  server.answers('home/steps', { steps: fresh })
  await user.click(await screen.findByRole('button', { name: t('action.undo') }))
  await card()
  expect(server.asked('home/putAway').map(({ put_away }) => put_away)).toEqual([true, false])
})

test('[FIRST-01] steps that are all done are not shown', async () => {
  await open(fresh.map((step) => ({ ...step, done: true })))
  await waitFor(() => expect(server.asked('home/steps')).toHaveLength(1))
  expect(await screen.findByText(t('home.hello', { name: 'Ann' }))).toBeTruthy()
  expect(screen.queryByText(t('home.put_away'))).toBeNull()
})

test('[FIRST-04] the first step suggests the zone of the device, and another one can be chosen until points move', async () => {
  const zone = process.env.TZ
  process.env.TZ = 'Asia/Taipei'
  onTestFinished(() => {
    process.env.TZ = zone
  })
  const admin = ownAccount({ role_id: Role.admin })
  const { user } = await open([{ step: 'zone', done: false }, ...fresh], admin, { open_zone: 'UTC' })
  const steps = within(await card())
  const list = steps.getByLabelText<HTMLSelectElement>(t('home.zone'))
  expect(list.value).toBe('Asia/Taipei')
  expect(document.querySelectorAll('.first-steps .button-main')).toHaveLength(1)
  server.refuses('home/chooseZone', 'home.zone_fixed')
  await user.click(button(t('home.zone_use')))
  expect(await screen.findByText(t('home.zone_fixed'))).toBeTruthy()
  server.answers('home/chooseZone', null)
  server.answers('home/steps', { steps: [{ step: 'zone', done: true }, ...fresh], open_zone: 'Asia/Manila' })
  await user.selectOptions(list, 'Asia/Manila')
  await user.click(button(t('home.zone_use')))
  await waitFor(() => expect(steps.queryByRole('button', { name: t('home.zone_use') })).toBeNull())
  expect(server.asked('home/chooseZone').map(({ time_zone }) => time_zone)).toEqual(['Asia/Taipei', 'Asia/Manila'])
  await user.selectOptions(list, 'Asia/Tokyo')
  expect(button(t('home.zone_use')).className).not.toContain('button-main')
})
