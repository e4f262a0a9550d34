/**
 * Talks to the page in which /widget.js has embedded this one: sends the unread count, and that Esc was pressed. That page
 * sends "hello" first, which gives its origin, and "open" when the visitor opens the widget again; frame-ancestors allows
 * only origins that the operator has listed.
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

/** A hidden frame loses its focus: without this, what is typed after the widget was opened again would be lost. */
const focusAgain = (last: HTMLElement | undefined) => {
  if (document.activeElement !== document.body || !matchMedia('(pointer: fine)').matches) return
  const first = document.querySelector<HTMLElement>('.c-box, input')
  ;(last?.isConnected ? last : first)?.focus()
}

export const listenToHost = () => {
  if (window.parent === window) return
  let last: HTMLElement | undefined
  window.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) last = target
  })
  window.addEventListener('message', (event) => {
    if (event.source !== window.parent) return
    const said = (event.data as { tallyroom?: unknown } | null)?.tallyroom
    if (said === 'hello') {
      origin = event.origin
      post({ tallyroom: 'unread', count: waiting })
    }
    if (said === 'open' && event.origin === origin) focusAgain(last)
  })
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]'))
      post({ tallyroom: 'close' })
  })
}
