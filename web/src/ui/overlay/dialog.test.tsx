import { screen } from '@testing-library/react'
import { type FormEvent, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { renderOffice } from '../../testing/render.tsx'
import { Dialog } from './dialog.tsx'

const onSubmit = vi.fn<(text: string) => void>()
const Part = ({ disabled = false }: { disabled?: boolean }) => {
  const [text, setText] = useState('')
  return (
    <Dialog
      title="Note"
      onClose={() => {}}
      onSubmit={() => onSubmit(text)}
      buttons={
        <button type="submit" disabled={disabled}>
          Save
        </button>
      }
    >
      <input aria-label="name" />
      <textarea aria-label="text" value={text} onChange={(event) => setText(event.target.value)} />
    </Dialog>
  )
}

test.each(['Control', 'Meta'])(
  'in a field of several lines Enter makes a line and %s with Enter saves',
  async (key) => {
    onSubmit.mockClear()
    const { user } = await renderOffice(<Part />)
    await user.click(screen.getByLabelText('text'))
    await user.keyboard(`one{Enter}two{${key}>}{Enter}{/${key}}`)
    expect(onSubmit.mock.calls).toEqual([['one\ntwo']])
    await user.click(screen.getByLabelText('name'))
    await user.keyboard(`{${key}>}{Enter}{/${key}}`)
    expect(onSubmit).toHaveBeenCalledTimes(2)
  },
)

test('it saves nothing while the button is off', async () => {
  onSubmit.mockClear()
  const { user } = await renderOffice(<Part disabled />)
  await user.click(screen.getByLabelText('text'))
  await user.keyboard('one{Control>}{Enter}{/Control}')
  expect(onSubmit).not.toHaveBeenCalled()
})

test('a form around the button that opened it is not sent with it', async () => {
  onSubmit.mockClear()
  const onOuter = vi.fn<(event: FormEvent) => void>((event) => event.preventDefault())
  const { user } = await renderOffice(
    <form onSubmit={onOuter}>
      <Part />
    </form>,
  )
  await user.click(screen.getByLabelText('name'))
  await user.keyboard('{Enter}')
  expect(onSubmit).toHaveBeenCalledOnce()
  expect(onOuter).not.toHaveBeenCalled()
})
