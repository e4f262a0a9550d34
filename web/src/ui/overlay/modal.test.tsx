import { screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { renderLight } from '../../testing/render.tsx'
import { useModal } from './modal.ts'

const close = vi.fn<(this: HTMLDialogElement) => void>(function close() {
  this.removeAttribute('open')
  setTimeout(() => this.dispatchEvent(new Event('close')))
})
beforeEach(() => {
  // The test environment has no dialogs. A browser's "close" comes a task after the call.
  HTMLDialogElement.prototype.showModal = vi.fn<(this: HTMLDialogElement) => void>(function show() {
    this.setAttribute('open', '')
  })
  HTMLDialogElement.prototype.close = close
})

const Sheet = ({ onClose }: { onClose: () => void }) => <dialog ref={useModal()} onClose={onClose} />

test('a dialog that StrictMode shows twice stays open until it is closed', async () => {
  const onClose = vi.fn<() => void>()
  renderLight(
    <StrictMode>
      <Sheet onClose={onClose} />
    </StrictMode>,
  )
  const dialog = screen.getByRole<HTMLDialogElement>('dialog')
  expect(close).toHaveBeenCalledOnce()
  await new Promise((resolve) => setTimeout(resolve))
  expect(onClose).not.toHaveBeenCalled()
  dialog.close()
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})
