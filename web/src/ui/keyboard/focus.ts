/** Use as `ref={takeFocus}`: focuses the field when it is mounted. React and Preact treat `autoFocus` differently. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()
