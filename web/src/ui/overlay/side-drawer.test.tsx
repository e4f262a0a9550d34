import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { renderOffice } from '../../testing/render.tsx'
import { SideDrawer } from './side-drawer.tsx'

const List = () => {
  const [opened, setOpened] = useState<string>()
  return (
    <>
      {['first', 'second'].map((name) => (
        <button key={name} type="button" onClick={() => setOpened(name)}>
          open {name}
        </button>
      ))}
      {opened && (
        <SideDrawer title={opened} phone="90%" onClose={() => setOpened(undefined)}>
          about {opened}
        </SideDrawer>
      )}
    </>
  )
}

test('beside a list, nothing covers the list, and the next row opens in place of this one', async () => {
  const { user } = await renderOffice(<List />)
  await user.click(screen.getByText('open first'))
  expect(await screen.findByText('about first')).toBeTruthy()
  expect(document.querySelector('.drawer-layer[data-mask]')).toBeNull()
  await user.click(screen.getByText('open second'))
  expect(await screen.findByText('about second')).toBeTruthy()
  expect(screen.queryByText('about first')).toBeNull()
})

test('the focus is inside its dialog, which is modal only where it covers the page', async () => {
  const { user } = await renderOffice(<List />)
  await user.click(screen.getByText('open first'))
  const dialog = await screen.findByRole('dialog', { name: 'first' })
  await vi.waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
  expect(dialog.getAttribute('aria-modal')).toBe('false')
})
