/**
 * A key that stays down presses again and again, also what has got the focus since: one long Enter would take a
 * request, open its payment and confirm it. `ignoreRepeatedEnter` lets it press only where it went down. @returns a function
 * that stops it
 */
export const ignoreRepeatedEnter = () => {
  let pressed: EventTarget | null = null
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    if (!event.repeat) pressed = event.target
    else if (event.target !== pressed) {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
  }
  document.addEventListener('keydown', onKeyDown, { capture: true })
  return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
}
