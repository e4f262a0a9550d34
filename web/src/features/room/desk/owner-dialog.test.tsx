import { cleanup, screen, waitFor } from '@testing-library/react'
import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { setStored } from '../../../lib/storage.ts'
import { server } from '../../../testing/fake-server.ts'
import { menuPage, roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { OwnerDialog } from './owner-dialog.tsx'

const colleague = (id: number, username: string) => ({ id, username, nickname: '', role_id: Role.customerService })

const focused = () => document.activeElement?.closest('label, button')?.textContent

const open = async (owner_id: number, may: ReturnType<typeof menuPage>['may'] = []) => {
  setStored('user_id', '9')
  server.answers('userMenu/list', [menuPage('/chat', { may })])
  server.answers('desk/colleagues', { data: [colleague(9, 'dana'), colleague(7, 'mika')] })
  await renderOffice(<OwnerDialog room={roomSummary({ owner_id })} onClose={() => {}} />)
}

test('the dialog of one’s own room starts on the first colleague', async () => {
  await open(9)
  await waitFor(() => expect(focused()).toBe('mika'))
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
