import { readAmount } from '@tallyroom/contract/text/typed-amount'
import {
  type ClipboardEvent,
  type CompositionEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { type AmountState, editedAmount, type Replaced, replacedAmount, shownAmount } from './amount-edit.ts'
import { problemText } from './amount-problem.ts'

/** Something comes in between the ends of the selection: typed, dropped, or put in by a keyboard of a phone. */
const COMES_IN = /^insert(?:Text|FromDrop|FromPaste|FromYank)$/
/** The field would show a space for it, and "500" and "600" of two lines would be one amount in groups. */
const LINE_BREAK = /[\n\r\u2028\u2029]/

type Options = {
  /** What `onChange` got last: an amount without separators, or a text that is none (`amountToSend`, `amountError`). */
  value: string
  onChange: (value: string) => void
}

/**
 * Every field that takes an amount: reads what is typed and pasted, groups the digits, and says why a text is no amount.
 * The caret keeps its place among the digits.
 */
export const useAmountField = (box: RefObject<HTMLInputElement | null>, { value, onChange }: Options) => {
  const { t } = useWords()
  const state = useRef<AmountState>({ value, typed: value })
  const caret = useRef<number>(undefined)
  /** Why a pasted text was not taken, as long as the field holds what it held then. */
  const [refused, setRefused] = useState<{ value: string; why: string }>()
  // A letter of an input method is no text yet: grouping would end the composition.
  const [composed, setComposed] = useState<string>()

  /** The selection before the edit: what was dropped is selected afterwards, and may look like what was there. */
  const replaced = useRef<Replaced>(undefined)

  useLayoutEffect(() => {
    const input = box.current
    if (caret.current === undefined || !input) return
    input.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  })

  const stateNow = () => (state.current.value === value ? state.current : { value, typed: value })
  const apply = (edit: ReturnType<typeof editedAmount>) => {
    setComposed(undefined)
    if ('refused' in edit)
      return setRefused({ value, why: `${t('amount.not_pasted')} ${problemText(t, edit.refused)}` })
    setRefused(undefined)
    state.current = edit.state
    caret.current = edit.caret
    onChange(edit.state.value)
  }
  const take = (input: HTMLInputElement) => {
    const from = replaced.current
    replaced.current = undefined
    apply(editedAmount(stateNow(), input.value, input.selectionEnd ?? input.value.length, from))
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { selectionStart: from, selectionEnd: to, readOnly } = event.currentTarget
    const added = event.clipboardData.getData('text')
    event.preventDefault()
    if (from === null || to === null || readOnly || added === '') return
    apply(replacedAmount(stateNow(), { from, to, added }))
  }
  useEffect(() => {
    const input = box.current
    const before = (event: InputEvent) => {
      const { selectionStart: from, selectionEnd: to } = input ?? { selectionStart: null, selectionEnd: null }
      const comesIn = COMES_IN.test(event.inputType)
      replaced.current = comesIn && from !== null && to !== null ? { from, to } : undefined
      const added = event.data ?? event.dataTransfer?.getData('text') ?? ''
      if (!replaced.current || !LINE_BREAK.test(added)) return
      event.preventDefault()
      apply(replacedAmount(stateNow(), { ...replaced.current, added }))
    }
    input?.addEventListener('beforeinput', before)
    return () => input?.removeEventListener('beforeinput', before)
  })
  /** The field's own commas cannot be deleted: Backspace and Delete skip to the next digit. */
  const stepOverComma = (event: KeyboardEvent<HTMLInputElement>) => {
    const { selectionStart: at, selectionEnd: end, value: text } = event.currentTarget
    if (at === null || at !== end || text === value) return
    if (event.key === 'Backspace' && text[at - 1] === ',') event.currentTarget.setSelectionRange(at - 1, at - 1)
    if (event.key === 'Delete' && text[at] === ',') event.currentTarget.setSelectionRange(at + 1, at + 1)
  }
  return {
    input: {
      inputMode: 'decimal' as const,
      autoComplete: 'off',
      value: composed ?? shownAmount(value),
      onChange: ({ target }: { target: HTMLInputElement }) => {
        if (composed === undefined) take(target)
        else setComposed(target.value)
      },
      onCompositionStart: ({ currentTarget }: CompositionEvent<HTMLInputElement>) => setComposed(currentTarget.value),
      onCompositionEnd: (event: CompositionEvent<HTMLInputElement>) => {
        // The last edit was one of the composed text, not of what the field showed before it.
        replaced.current = undefined
        take(event.currentTarget)
      },
      onPaste: paste,
      onKeyDown: stepOverComma,
    },
    /** Why the last paste was not taken, and why the text is no amount. */
    refused: refused?.value === value ? refused.why : '',
    problem: problemText(t, readAmount(value)),
  }
}
