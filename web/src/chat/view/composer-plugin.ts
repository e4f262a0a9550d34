import type { KeyboardEvent, ReactNode, RefObject } from 'react'

/** What the composer lends to someone who helps to write: the back office's quick replies. The member's page has none. */
export type ComposerHandle = {
  text: string
  /** Where the caret stands in it. */
  caret: number
  box: RefObject<HTMLTextAreaElement | null>
  /** Above the box, for what helps. */
  above: HTMLElement | null
  /** Writes in the place of what stands between two places, as if it were typed: it can be undone. */
  write: (from: number, to: number, words: string) => void
  /** Hears a key before the box does; true: it was meant for the helper. */
  keys: RefObject<((event: KeyboardEvent) => boolean) | undefined>
  /** Is told when the text goes, with its room: what belongs to it goes after it. */
  sent: RefObject<(() => void) | undefined>
}
export type ComposerPlugin = (pen: ComposerHandle) => ReactNode

/** A box that comes back with its draft has the caret in front of it. */
export const focusAtEnd = (box: HTMLTextAreaElement | null) => {
  box?.focus()
  box?.setSelectionRange(box.value.length, box.value.length)
}

/** Typed by the browser itself, so that undo takes it back. */
export const typeInto = (box: HTMLTextAreaElement | null, from: number, to: number, words: string) => {
  if (!box) return
  box.focus()
  box.setSelectionRange(from, to)
  if (document.execCommand('insertText', false, words)) return
  box.setRangeText(words, from, to, 'end')
  box.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
