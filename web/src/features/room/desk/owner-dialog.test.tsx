import { cleanup, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { setStored } from '../../../lib/storage.ts'
import { server } from '../../../testing/fake-server.ts'
import { colleagues, colleague, menuPage, roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { OwnerDialog } from './owner-dialog.tsx'

const focused = () => document.activeElement?.closest('label, button')?.textContent

const open = async (owner_id: number, may: ReturnType<typeof menuPage>['may'] = []) => {
  setStored('user_id', '9')
  server.answers('userMenu/list', [menuPage('/chat', { may })])
  server.answers('desk/colleagues', colleagues([colleague(9, 'dana'), colleague(7, 'mika')]))
  await renderOffice(<OwnerDialog room={roomSummary({ owner_id })} onClose={() => {}} />)
}

test('the dialog of one’s own room starts on the first colleague', async () => {
  await open(9)
  await waitFor(() => expect(focused()).toBe(`mika${t('desk.state_on')}`))
})

test('the dialog of a colleague’s room starts on "Take over"', async () => {
  await open(8)
  await waitFor(() => expect(focused()).toBe(t('desk.take_over')))
})

test('[CODE-04] a colleague’s room is given away only with that right', async () => {
  await open(8)
  await waitFor(() => expect(focused()).toBe(t('desk.take_over')))
  expect(screen.queryByRole('button', { name: t('desk.release') })).toBeNull()
  cleanup()
  await open(8, ['chat.give_any'])
  expect(await screen.findByRole('button', { name: t('desk.release') })).toBeTruthy()
})

test('[CONV-03] [BELL-03] handing over says who is there, how much they have, how many wait for each, and why', async () => {
  setStored('user_id', '9')
  server.answers('userMenu/list', [menuPage('/chat', { may: [] })])
  server.answers(
    'desk/colleagues',
    colleagues([colleague(7, 'mika', { waiting: 3, load: 5 }), colleague(8, 'omar', { state: 'away' })]),
  )
  server.answers('desk/handOver', null)
  const { user } = await renderOffice(<OwnerDialog room={roomSummary({ owner_id: 9 })} onClose={() => {}} />)
  const [mika, omar] = await screen.findAllByRole('radio')
  expect(mika?.closest('label')?.textContent).toBe(
    `mika${t('desk.state_on')}${t('desk.load')} 5${t('desk.waiting_count', { n: 3 })}`,
  )
  expect(omar?.closest('label')?.textContent).toBe(`omar${t('desk.state_away')}`)
  await user.click(mika as HTMLElement)
  await user.type(screen.getByLabelText(t('desk.why')), 'speaks Tamil{Enter}')
  await waitFor(() => expect(server.asked('desk/handOver')).toMatchObject([{ to: 7, why: 'speaks Tamil' }]))
})
