/**
 * Talks to the page in which /widget.js has embedded this one: sends the unread count, and that Esc was pressed. That page
 * sends "hello" first, which gives its origin; frame-ancestors allows only origins that the operator has listed.
 */
let origin: string | undefined
let waiting = 0

const post = (message: { tallyroom: 'unread'; count: number } | { tallyroom: 'close' }) => {
  if (origin) window.parent.postMessage(message, origin)
}

/** Sends the number of unread messages. */
export const postUnread = (count: number) => {
  if (count === waiting) return
  waiting = count
  post({ tallyroom: 'unread', count })
}

export const listenToHost = () => {
  if (window.parent === window) return
  window.addEventListener('message', (event) => {
    if (event.source !== window.parent || (event.data as { tallyroom?: unknown } | null)?.tallyroom !== 'hello') return
    origin = event.origin
    post({ tallyroom: 'unread', count: waiting })
  })
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]'))
      post({ tallyroom: 'close' })
  })
}
