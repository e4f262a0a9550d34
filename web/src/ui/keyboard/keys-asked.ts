import { openLayers } from '../overlay/layers.ts'

/** Whether keys are text there. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select'))

/** A button or a menu asks for the list of keys, which the frame of the page shows. */
let listener: (() => void) | undefined
export const askForKeys = () => listener?.()

const onKeyDown = (event: KeyboardEvent) => {
  if (event.defaultPrevented || openLayers().length > 0) return
  const control = event.ctrlKey || event.metaKey
  const isAsked =
    (event.key === '?' && !isTyping(event.target) && !control) || (control && !event.altKey && event.code === 'Slash')
  if (!isAsked) return
  event.preventDefault()
  askForKeys()
}

/** Calls `show` for "?", Ctrl+/ and `askForKeys`. @returns a function that ends it */
export const whenKeysAsked = (show: () => void) => {
  listener = show
  window.addEventListener('keydown', onKeyDown)
  return () => {
    if (listener !== show) return
    listener = undefined
    window.removeEventListener('keydown', onKeyDown)
  }
}
