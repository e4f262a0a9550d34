import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

type Layer = { box: HTMLElement; isModal: boolean; escape: () => void }

/** The dialogs and drawers that are open, the newest last. */
const layers: Layer[] = []

/** What is below a modal layer cannot be reached. Notices are outside of the page, so that they can be answered. */
const settle = () => {
  const modal = layers.findLastIndex(({ isModal }) => isModal)
  for (const page of document.querySelectorAll<HTMLElement>('[data-page]')) page.inert = modal >= 0
  for (const [at, { box }] of layers.entries()) box.inert = at < modal
}

const onKey = (event: KeyboardEvent) => {
  const top = layers.at(-1)
  if (event.key !== 'Escape' || event.defaultPrevented || !top) return
  // A native dialog in front closes itself.
  const owner = event.target instanceof Element ? event.target.closest('dialog, [role="dialog"]') : null
  if (owner && !top.box.contains(owner)) return
  // Keys of the page act on the key only if nothing else has.
  event.preventDefault()
  top.escape()
}

const add = (layer: Layer) => {
  if (layers.length === 0) document.addEventListener('keydown', onKey)
  layers.push(layer)
  settle()
  return () => {
    layers.splice(layers.indexOf(layer), 1)
    if (layers.length === 0) document.removeEventListener('keydown', onKey)
    settle()
  }
}

/**
 * Makes an element a layer over the page: it takes the focus, Esc calls `onEscape` while it is in front, and the focus
 * goes back to where it was. A modal one keeps the rest of the page from being used.
 */
export const useLayer = (box: RefObject<HTMLElement | null>, isModal: boolean, onEscape: () => void) => {
  // Read before a field of the layer with `autoFocus` takes it.
  const [opener] = useState(() => document.activeElement)
  const latest = useRef(onEscape)
  // Before the step that brought it can be seen: Esc of the step before would go back from points that have moved.
  useLayoutEffect(() => {
    latest.current = onEscape
  })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    if (!element.contains(document.activeElement)) element.focus({ preventScroll: true })
    const remove = add({ box: element, isModal, escape: () => latest.current() })
    return () => {
      remove()
      queueMicrotask(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body
        // StrictMode runs this while the layer stays open.
        if (isFree && !element.isConnected && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
      })
    }
  }, [box, isModal, opener])
}
