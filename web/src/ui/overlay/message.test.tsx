import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderOffice } from '../../testing/render.tsx'
import { notify } from './message.tsx'

test.each([
  ['said', undefined, 3000],
  ['hidden', { label: 'Undo', run: () => {} }, 8000],
] as const)('[SHELL-07] the snackbar "%s" is there as long as it takes to use it', async (text, action, ms) => {
  vi.useFakeTimers()
  await renderOffice(<p />)
  notify.done(text, action)
  await vi.advanceTimersByTimeAsync(ms - 1)
  expect(screen.getByText(text)).toBeTruthy()
  await vi.advanceTimersByTimeAsync(1)
  expect(screen.queryByText(text)).toBeNull()
})
