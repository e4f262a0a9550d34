import { useEffect, useRef } from 'react'

const shown: HTMLDialogElement[] = []
let closesOnBack = false
/** The newest entry of the history is ours: the browser's "back" takes it away instead of the page. */
let hasEntry = false
/** `history.back()` is on its way, and an entry pushed now could be taken away in its place. */
let isLeaving = false

const settle = () => {
  if (!closesOnBack || isLeaving || hasEntry === shown.length > 0) return
  hasEntry = !hasEntry
  if (hasEntry) return history.pushState(null, '')
  isLeaving = true
  history.back()
}

/**
 * From now on the browser's "back" closes the dialogs of `useModal`, the newest first. A phone's "back" would else leave the
 * page. Not in a frame, whose entries are among those of the page around it, nor beside a router of its own.
 */
export const closeModalsOnBack = () => {
  if (window.parent !== window) return
  closesOnBack = true
  window.addEventListener('popstate', () => {
    if (isLeaving) isLeaving = false
    else if (hasEntry) {
      hasEntry = false
      shown.pop()?.close()
    }
    settle()
  })
}

/** A native dialog, shown while its component is. It traps the focus, closes on Escape and gives the focus back. */
export const useModal = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    // React's StrictMode runs this twice: the "close" between both comes when the dialog is open again.
    const ignoreWhileOpen = (event: Event) => {
      if (element.open) event.stopImmediatePropagation()
    }
    element.addEventListener('close', ignoreWhileOpen, { capture: true })
    element.showModal()
    shown.push(element)
    settle()
    return () => {
      element.close()
      const at = shown.indexOf(element)
      if (at >= 0) shown.splice(at, 1)
      // One dialog often follows another, which then keeps the entry.
      setTimeout(settle)
    }
  }, [])
  return dialog
}
