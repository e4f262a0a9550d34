import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { setStored } from '../../../lib/storage.ts'
import { server } from '../../../testing/fake-server.ts'
import { colleagues, menuPage, roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { Owner } from './owner.tsx'

/** A room whose owner changes by events, as when it is released and answered. */
const Room = () => {
  const [owner_id, setOwner] = useState<number | null>(9)
  return (
    <>
      <Owner room={roomSummary({ owner_id })} />
      <button type="button" onClick={() => setOwner(owner_id === null ? 9 : null)}>
        event
      </button>
    </>
  )
}

test('[DESK-11] the dialog of a released room does not come back when the room has an owner again', async () => {
  setStored('user_id', '9')
  server.answers('userMenu/list', [menuPage('/chat', { may: [] })])
  server.answers('desk/colleagues', colleagues([]))
  const { user } = await renderOffice(<Room />)
  await user.click(screen.getByRole('button', { name: new RegExp(t('desk.mine')) }))
  await screen.findByRole('dialog')
  act(() => screen.getByText('event').click())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  act(() => screen.getByText('event').click())
  await screen.findByRole('button', { name: new RegExp(t('desk.mine')) })
  expect(screen.queryByRole('dialog')).toBeNull()
})
