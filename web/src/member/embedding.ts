/**
 * The page around this one, where /widget.js has put it: it is told how many messages wait, and that Esc was pressed. It says hello
 * first, which tells its origin; only origins that the operator has named can frame this page at all (frame-ancestors).
 */
let origin: string | undefined
let waiting = 0

const tell = (message: { tallyroom: 'unread'; count: number } | { tallyroom: 'close' }) => {
  if (origin) window.parent.postMessage(message, origin)
}

/** How many messages nobody has read here. */
export const postUnread = (count: number) => {
  if (count === waiting) return
  waiting = count
  tell({ tallyroom: 'unread', count })
}

export const listenToHost = () => {
  if (window.parent === window) return
  window.addEventListener('message', (event) => {
    if (event.source !== window.parent || (event.data as { tallyroom?: unknown } | null)?.tallyroom !== 'hello') return
    origin = event.origin
    tell({ tallyroom: 'unread', count: waiting })
  })
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]'))
      tell({ tallyroom: 'close' })
  })
}
