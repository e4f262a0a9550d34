import type { KeyboardEvent, ReactNode, RefObject } from 'react'

/** What the composer offers a plugin. The back office's quick replies are one; the member's page has none. */
export type ComposerHandle = {
  text: string
  /** The caret's position in the text. */
  caret: number
  box: RefObject<HTMLTextAreaElement | null>
  /** The element above the text box in which the plugin renders. */
  above: HTMLElement | null
  /** Replaces the text between two positions as if it were typed, so that it can be undone. */
  write: (from: number, to: number, words: string) => void
  /** Called with each key before the text box handles it; return true when the plugin has handled it. */
  keys: RefObject<((event: KeyboardEvent) => boolean) | undefined>
  /** Called when the text is sent, so that the plugin can send its photos after it. */
  sent: RefObject<(() => void) | undefined>
}
export type ComposerPlugin = (composer: ComposerHandle) => ReactNode

/** Focuses the box with the caret at the end: a box filled with a draft has it at the beginning. */
export const focusAtEnd = (box: HTMLTextAreaElement | null) => {
  box?.focus()
  box?.setSelectionRange(box.value.length, box.value.length)
}

/** Replaces a range by the browser's insertText command, so that the user can undo it. */
export const insertText = (
  box: HTMLTextAreaElement | HTMLInputElement | null,
  from: number,
  to: number,
  words: string,
) => {
  if (!box) return
  box.focus()
  box.setSelectionRange(from, to)
  if (document.execCommand('insertText', false, words)) return
  box.setRangeText(words, from, to, 'end')
  box.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** Adds spaces where the inserted text would touch other words. */
export const withSpaces = (words: string, before: string, after: string) =>
  `${/\S$/u.test(before) ? ' ' : ''}${words}${/^\S/u.test(after) ? ' ' : ''}`
