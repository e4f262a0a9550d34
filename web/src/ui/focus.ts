/** `ref={takeFocus}`: the field has the focus as soon as it is there. (What `autoFocus` does depends on who draws the page.) */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()
