import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderLight } from '../../testing/render.tsx'
import { AmountBox, selectRefused } from './amount-box.tsx'
import { AmountInput } from './amount-input.tsx'

const Both = () => {
  const [amount, setAmount] = useState('')
  return (
    <>
      <AmountBox id="box" className="input" value={amount} onChange={setAmount} />
      <AmountInput id="input" value={amount} onChange={setAmount} />
      <output>{amount}</output>
    </>
  )
}
const boxes = () => screen.getAllByRole<HTMLInputElement>('textbox')
const stored = () => screen.getByRole('status').textContent

test.each([0, 1])('[TEXT-01] [TEXT-03] what an input method composes is read once it is done (field %i)', (at) => {
  renderLight(<Both />)
  const box = boxes()[at]
  if (!box) throw new Error('the field is missing')
  fireEvent.compositionStart(box)
  fireEvent.input(box, { target: { value: 'wu' } })
  expect([box.value, stored()]).toEqual(['wu', ''])
  fireEvent.input(box, { target: { value: '１２５０。５' } })
  expect([box.value, stored()]).toEqual(['１２５０。５', ''])
  fireEvent.compositionEnd(box)
  expect([box.value, stored()]).toEqual(['1,250.5', '1250.5'])
})

test.each([0, 1])('[TEXT-01] Backspace and Delete step over the field’s own commas (field %i)', async (at) => {
  const { user } = renderLight(<Both />)
  const box = boxes()[at]
  if (!box) throw new Error('the field is missing')
  await user.type(box, '1234567')
  box.setSelectionRange(2, 2)
  await user.keyboard('{Backspace}')
  expect(box.value).toBe('234,567')
  box.setSelectionRange(3, 3)
  await user.keyboard('{Delete}')
  expect([box.value, box.selectionStart]).toEqual(['23,467', 4])
})

test('[TEXT-01] a refused amount is selected where the caret waits behind it, and only there', async () => {
  const { user } = renderLight(<Both />)
  const [box = null, other = null] = boxes()
  if (!box) throw new Error('the field is missing')
  await user.type(box, '70000')
  selectRefused(other)
  expect(document.activeElement).toBe(box)
  selectRefused(box)
  await user.keyboard('50')
  expect(box.value).toBe('50')
})
