import { writings } from '@tallyroom/contract/text/amount-writings'
import { expect, test } from 'vitest'
import { type AmountState, editedAmount, replacedAmount, shownAmount } from './amount-edit.ts'
import { amountToSend } from './amount-text.ts'

const empty: AmountState = { value: '', typed: '' }

/** Puts `added` in place of what is between `from` and `to` of the shown text. */
const put = (before: AmountState, added: string, from?: number, to?: number) => {
  const shown = shownAmount(before.value)
  const start = from ?? shown.length
  const next = shown.slice(0, start) + added + shown.slice(to ?? start)
  return editedAmount(before, next, start + added.length)
}
const stateAfter = (...edit: Parameters<typeof put>) => {
  const done = put(...edit)
  return 'refused' in done ? edit[0] : done.state
}
const typedIn = (text: string) => Array.from(text).reduce((before, letter) => stateAfter(before, letter), empty)

const isOneLine = (text: string) => text === text.trim() && !/[\n\t]/.test(text)
const expected = (found: (typeof writings)[number][1]) =>
  typeof found === 'string' || !/[1-9]/.test(found.amount) ? undefined : Number(found.amount)
const sent = ({ value }: AmountState) => {
  const amount = amountToSend(value)
  return amount === undefined ? undefined : Number(amount)
}

test.each(writings.filter(([text]) => isOneLine(text)))(
  '[TEXT-01] %j, typed letter by letter, sends %j',
  (text, found) => {
    expect(sent(typedIn(text))).toBe(expected(found))
  },
)

test.each(writings.filter(([text]) => text.length > 1))(
  '[TEXT-01] %j, pasted, sends %j or leaves the field as it was',
  (text, found) => {
    const after = stateAfter(empty, text)
    expect(sent(after)).toBe(expected(found))
    if (typeof found === 'string') expect(after).toBe(empty)
  },
)

test('[TEXT-01] a typed comma is a decimal point, and shown as one', () => {
  expect(shownAmount(typedIn('12,5').value)).toBe('12.5')
  expect(shownAmount(typedIn('12,').value)).toBe('12.')
})

test('[TEXT-01] typing goes on from a grouped amount, and in its middle', () => {
  const amount = typedIn('1234567')
  expect(shownAmount(amount.value)).toBe('1,234,567')
  expect(put(amount, ',5'.slice(0, 1))).toMatchObject({ state: { value: '1234567.' } })
  expect(put(amount, '9', 2)).toEqual({ state: { value: '19234567', typed: '19234567' }, caret: 2 })
  expect(put(amount, '', 0, 2)).toMatchObject({ state: { value: '234567' }, caret: 0 })
})

test('[TEXT-01] what is typed over a selection replaces it, and so does what is pasted', () => {
  const amount = typedIn('70000')
  expect(put(amount, '5', 0, 6)).toMatchObject({ state: { value: '5' } })
  expect(put(amount, '1.250,50', 0, 6)).toMatchObject({ state: { value: '1250.50' } })
  expect(put(amount, 'deposit 500', 0, 6)).toMatchObject({ refused: { problem: 'not_one' } })
})

test('[TEXT-01] a part is pasted only if the whole is one amount', () => {
  expect(put(typedIn('5'), '00')).toMatchObject({ state: { value: '500' } })
  expect(put(typedIn('5.5'), '0,5')).toMatchObject({ refused: { problem: 'not_one' } })
  expect(put(typedIn('100'), '.50')).toMatchObject({ state: { value: '100.50' } })
})

test.each(['1.000.000', '12,5', 'Rp 500', '00 ', '1 000'])(
  '[TEXT-01] %j is not pasted beside the digits of another amount',
  (text) => {
    for (const at of [0, 1, 3])
      expect(replacedAmount(typedIn('100'), { from: at, to: at, added: text })).toMatchObject({
        refused: { problem: 'not_one' },
      })
  },
)

test('[TEXT-01] a text that comes in whole is read whole, also if it begins as the former one', () => {
  const whole = (text: string) => editedAmount(typedIn('12'), text, text.length)
  expect(whole('1.250,5')).toMatchObject({ state: { value: '1250.5' } })
  expect(whole('1 000 000')).toMatchObject({ state: { value: '1000000' } })
  expect(whole('1.250')).toMatchObject({ refused: { problem: 'two_readings' } })
})

test('[TEXT-01] what cannot be read is deleted letter by letter, also its commas', () => {
  let state = typedIn('1,250')
  expect(shownAmount(state.value)).toBe('1,250')
  state = stateAfter(state, '', 4, 5)
  expect(shownAmount(state.value)).toBe('1.25')
  expect(shownAmount(stateAfter(typedIn('1e3'), '', 1, 2).value)).toBe('13')
})

test('zeros in front are gone, so Backspace empties the field', () => {
  expect(stateAfter(typedIn('05'), '', 0, 1)).toEqual(empty)
})

test('[TEXT-01] a text that a script sets is not taken for what was typed before it', () => {
  const amount = typedIn('40')
  expect(editedAmount(amount, '99', 2, { from: 1, to: 2 })).toMatchObject({ state: { value: '99' } })
  expect(editedAmount(amount, '9', 1, { from: 2, to: 2 })).toMatchObject({ state: { value: '9' } })
  expect(editedAmount(amount, '490', 3, { from: 1, to: 1 })).toMatchObject({ state: { value: '490' }, caret: 2 })
})
