import { setUnreadListener } from './session.ts'
import { greet, takeAnswer } from './site-sign-in.ts'

type Said =
  | { tallyroom: 'ready' | 'close' }
  | { tallyroom: 'unread'; count: number }
  /** Asks the page for a one-time token; its answer has the same number. */
  | { tallyroom: 'sign-in'; ask: number }

/** A hidden frame loses its focus: without this, what is typed after the widget was opened again would be lost. */
const focusAgain = (last: HTMLElement | undefined) => {
  if (document.activeElement !== document.body || !matchMedia('(pointer: fine)').matches) return
  const first = document.querySelector<HTMLElement>('.c-box, input')
  ;(last?.isConnected ? last : first)?.focus()
}

/**
 * Talks to the page in which /widget.js has embedded this one: sends the unread count, and that Esc was pressed. That page
 * answers "ready" with "hello", which gives its origin, and sends "open" when the visitor opens the widget again;
 * frame-ancestors allows only origins that the operator has listed.
 */
export const listenToHost = () => {
  let origin: string | undefined
  let waiting = 0
  let last: HTMLElement | undefined
  const post = (message: Said) => {
    if (origin) window.parent.postMessage(message, origin)
  }
  const postUnread = () => post({ tallyroom: 'unread', count: waiting })
  setUnreadListener((count) => {
    waiting = count
    postUnread()
  })
  window.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) last = target
  })
  window.addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== window.parent || (origin ?? from) !== from) return
    const said = data as Record<string, unknown> | null
    if (said?.tallyroom === 'hello') {
      origin = from
      postUnread()
      greet(said, (ask) => post({ tallyroom: 'sign-in', ask }))
    }
    if (!origin) return
    if (said?.tallyroom === 'open') focusAgain(last)
    if (said?.tallyroom === 'signed') takeAnswer(said)
  })
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]'))
      post({ tallyroom: 'close' })
  })
  // The page's origin is not known yet, and the word is no secret.
  window.parent.postMessage({ tallyroom: 'ready' } satisfies Said, '*')
}
