import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { alerts, button, renderOffice } from '../../testing/render.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

const open = async (props: { isBusy?: boolean; error?: Error } = {}) => {
  const [onConfirm, onClose] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const view = await renderOffice(
    <ConfirmDialog title="Delete it?" act="Delete" danger onConfirm={onConfirm} onClose={onClose} {...props}>
      <input aria-label="password" />
    </ConfirmDialog>,
  )
  return { ...view, onConfirm, onClose }
}

test('Enter alone cancels, and only the button with the act does it', async () => {
  const { user, onConfirm, onClose } = await open()
  expect(document.activeElement).toBe(button(t('action.cancel')))
  await user.keyboard('{Enter}')
  expect([onConfirm, onClose].map((done) => done.mock.calls.length)).toEqual([0, 1])
  await user.click(button('Delete'))
  expect([onConfirm, onClose].map((done) => done.mock.calls.length)).toEqual([1, 1])
})

test('while it is being done, neither a press nor Enter in a field does it again; a refusal is shown', async () => {
  const { user, onConfirm } = await open({ isBusy: true, error: new Error('Refused') })
  await user.click(screen.getByRole('button', { name: /Delete/ }))
  await user.type(screen.getByLabelText('password'), 'x{Enter}')
  fireEvent.submit(screen.getByLabelText('password'))
  expect(onConfirm).not.toHaveBeenCalled()
  expect(alerts()).toEqual(['Refused'])
})
