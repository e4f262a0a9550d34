import { cutText } from '@tallyroom/contract/text/cut-text'
import { useRef } from 'react'

type Box = HTMLInputElement | HTMLTextAreaElement
type Options<B extends Box> = {
  maxLength: number | undefined
  value?: unknown
  onChange?: ((event: { target: B }) => void) | undefined
}

/**
 * What a field may hold of a text that got too long: what comes in before the caret is cut, between two letters, and
 * what is behind it stays. Letters of several code points become one each (NFC) before they are counted, as the server
 * counts them.
 */
const limitedText = (text: string, caret: number, limit: number): { text: string; caret: number } => {
  if (text.length <= limit) return { text, caret }
  const rest = cutText(text.slice(caret).normalize('NFC'), limit)
  const left = limit - rest.length
  const start = left > 0 ? cutText(text.slice(0, caret).normalize('NFC'), left) : ''
  return { text: start + rest, caret: start.length }
}

/**
 * Props of a field of at most `maxLength` units, in place of the browser's own `maxLength`, which leaves half an emoji
 * and counts a letter and its marks apart.
 */
export const useTextLimit = <B extends Box>({ maxLength, value, onChange }: Options<B>) => {
  // What an input method composes is cut when it is finished: another value would end it.
  const beforeComposing = useRef<string>(undefined)
  if (maxLength === undefined) return { onChange }
  const length = (text: unknown) => (typeof text === 'string' ? text.length : 0)
  const take = (box: B) => {
    // A longer text of former times may be shortened bit by bit.
    const limit = Math.max(maxLength, length(beforeComposing.current ?? value))
    const next = limitedText(box.value, box.selectionEnd ?? box.value.length, limit)
    if (next.text !== box.value) {
      box.value = next.text
      box.setSelectionRange(next.caret, next.caret)
    }
    onChange?.({ target: box })
  }
  return {
    onChange: ({ target }: { target: B }) => {
      if (beforeComposing.current === undefined) take(target)
      else onChange?.({ target })
    },
    onCompositionStart: ({ currentTarget }: { currentTarget: B }) => {
      beforeComposing.current = currentTarget.value
    },
    onCompositionEnd: ({ currentTarget }: { currentTarget: B }) => {
      take(currentTarget)
      beforeComposing.current = undefined
    },
  }
}
