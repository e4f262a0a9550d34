/** In a frame only while the focus is there: a widget that is still open on the site's next page must not take it. */
export const mayTakeFocus = () => window.parent === window || document.hasFocus()

/** Use as `ref={takeFocus}`: focuses the field when it is mounted. React and Preact treat `autoFocus` differently. */
export const takeFocus = (element: HTMLElement | null): void => {
  if (mayTakeFocus()) element?.focus()
}
