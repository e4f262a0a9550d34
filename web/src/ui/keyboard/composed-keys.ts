/**
 * An input method (Chinese, Japanese, Korean and others) uses this key: Enter, Escape and arrows choose among its words.
 * Safari sends the Enter that confirms a word after the composition has ended, so only the key code 229 tells it.
 */
const isComposing = ({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>) =>
  isComposing || keyCode === 229

/**
 * Keeps the keys of an input method from every handler of the page (TEXT-03), also from those of libraries. They are not
 * prevented, so the input method gets them. Call it before anything else listens. @returns a function that stops it
 */
export const withholdComposedKeys = () => {
  const onKeyDown = (event: KeyboardEvent) => isComposing(event) && event.stopImmediatePropagation()
  window.addEventListener('keydown', onKeyDown, { capture: true })
  return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
}
