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

/** As browsers say it: the selection before, and afterwards what came in is selected. */
const drop = (box: HTMLInputElement, text: string, at = box.value.length) => {
  box.setSelectionRange(at, at)
  const facts = { bubbles: true, inputType: 'insertFromDrop', data: text }
  if (!fireEvent(box, new InputEvent('beforeinput', { ...facts, cancelable: true }))) return
  // Set as the browser does it: React takes a value that a script sets for its own.
  const next = box.value.slice(0, at) + text + box.value.slice(at)
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box, next)
  box.setSelectionRange(at, at + text.length)
  fireEvent(box, new InputEvent('input', facts))
}

test.each([0, 1])('[TEXT-01] a text that is dropped is taken as one that is pasted (field %i)', async (at) => {
  const { user } = renderLight(<Both />)
  const box = boxes()[at]
  if (!box) throw new Error('the field is missing')
  drop(box, '12,5')
  expect([box.value, stored()]).toEqual(['12.5', '12.5'])
  for (const [before, dropped, after] of [
    ['4', '500\n600', '4'],
    ['40', '77', '4,077'],
    ['1234', '9', '12,349'],
    ['40', '12,5', '40'],
    ['40', '1.250', '40'],
  ] as const) {
    await user.clear(box)
    await user.type(box, before)
    drop(box, dropped)
    expect(box.value, `${dropped} behind ${before}`).toBe(after)
  }
  drop(box, '7', 0)
  expect([box.value, stored()]).toEqual(['740', '740'])
})
