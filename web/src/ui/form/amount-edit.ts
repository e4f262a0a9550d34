import { latinDigits } from '@tallyroom/contract/text/latin-digits'
import { type AmountProblem, type AmountReading, readAmount } from '@tallyroom/contract/text/typed-amount'
import { caretAfter, groupAmount } from './amount-text.ts'

/** What an amount field holds. */
export type AmountState = {
  /** Without separators if it reads as one amount; otherwise as typed, and then the field says why it is none. */
  value: string
  /** All that was typed so far, with the separators of its writer. */
  typed: string
}

type Unread = AmountReading & { problem: AmountProblem }
const isUnread = (reading: AmountReading): reading is Unread => reading.problem !== undefined

/** The text in the field for this value. */
export const shownAmount = (value: string): string => {
  const reading = readAmount(value)
  return isUnread(reading) ? value : groupAmount(reading.text)
}

type Edited = { state: AmountState; caret: number } | { refused: Unread }

/**
 * The field after `added` took the place of the shown text between `from` and `to`. A typed character always stays: if it
 * were dropped, the others would be another amount. What is pasted is taken if it is one amount, and refused whole if
 * not. Typing a text gives what pasting it gives.
 */
export const replacedAmount = (
  before: AmountState,
  { from, to, added }: { from: number; to: number; added: string },
): Edited => {
  const shown = shownAmount(before.value)
  // The commas of a text that reads are the field's own.
  const own = (text: string) => (isUnread(readAmount(before.value)) ? text : text.replaceAll(',', ''))
  const [left, right] = [own(shown.slice(0, from)), own(shown.slice(to))]

  const isPasted = added.length > 1
  const pasted = readAmount(added)
  if (isPasted && isUnread(pasted)) return { refused: pasted }
  // "00" behind a 5 are two digits, not the amount 0.
  const digits = latinDigits(added)
  const came = isPasted && !isUnread(pasted) && /\D/.test(digits) ? pasted.text : digits
  // A whole amount beside digits that stay is a second one, not a part of theirs.
  const isWhole = came !== digits || /\d\D+\d/.test(digits)
  if (isPasted && isWhole && /\d/.test(left + right)) return { refused: { problem: 'not_one' } }
  const isAtEnd = to === shown.length && !isPasted
  const typed =
    isAtEnd && from === to
      ? before.typed + came
      : isAtEnd && came === '' && to - from === 1
        ? before.typed.slice(0, -1)
        : left + came + right
  const reading = readAmount(typed)
  if (isPasted && isUnread(reading)) return { refused: reading }
  const value = isUnread(reading) ? typed : reading.text
  // Digits alone say nothing more than the value, which has lost its leading zeros.
  const state = { value, typed: /\D/.test(typed) ? typed : value }
  const at = Math.max(0, value.length - right.length)
  return { state, caret: isUnread(reading) ? at : caretAfter(groupAmount(value), at) }
}

/** The text that an edit replaces, in what the field shows. */
export type Replaced = { from: number; to: number }

/**
 * The field after an edit that left the text `next` with the caret behind what came in. `replaced`: what was typed or
 * dropped took the place of this; without it the texts are compared.
 */
export const editedAmount = (before: AmountState, next: string, caret: number, replaced?: Replaced): Edited => {
  const shown = shownAmount(before.value)
  if (replaced) {
    const [left, right] = [shown.slice(0, replaced.from), shown.slice(replaced.to)]
    // Another script may have set the whole text since.
    const fits = next.length >= left.length + right.length && next.startsWith(left) && next.endsWith(right)
    const added = next.slice(left.length, next.length - right.length)
    if (fits) return replacedAmount(before, { ...replaced, added })
  }
  const to = shown.length - (next.length - caret)
  let from = 0
  while (from < Math.min(caret, to) && shown[from] === next[from]) from++
  const edit = replacedAmount(before, { from, to, added: next.slice(from, caret) })
  // A text that began as the former one may also have come in whole, such as by a manager of forms.
  return 'refused' in edit ? replacedAmount(before, { from: 0, to: shown.length, added: next }) : edit
}
