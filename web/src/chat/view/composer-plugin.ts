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
  /** Gets each key before the text box; return true when the plugin has handled it. */
  keys: RefObject<((event: KeyboardEvent) => boolean) | undefined>
  /** Called with the room's code when the text is sent, so that the plugin can send its photos after it. */
  sent: RefObject<(() => void) | undefined>
}
export type ComposerPlugin = (composer: ComposerHandle) => ReactNode

/** A text box that is filled with a draft would have its caret in front of the text. */
export const focusAtEnd = (box: HTMLTextAreaElement | null) => {
  box?.focus()
  box?.setSelectionRange(box.value.length, box.value.length)
}

/** Uses the browser's own insertText command, so that undo works. */
export const insertText = (box: HTMLTextAreaElement | null, from: number, to: number, words: string) => {
  if (!box) return
  box.focus()
  box.setSelectionRange(from, to)
  if (document.execCommand('insertText', false, words)) return
  box.setRangeText(words, from, to, 'end')
  box.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
