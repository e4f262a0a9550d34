import { useEffect, useRef } from 'react'
import { openLayer } from './close-on-back.ts'

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
    const closed = openLayer(() => {
      // Its "close" comes later, and until then "back" would be meant for it.
      closed()
      element.close()
    })
    return () => {
      element.close()
      closed()
    }
  }, [])
  return dialog
}
