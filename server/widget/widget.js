// The conversation as a button in the corner of another site’s page: docs/widget.md. server/src/http/widget.ts inserts
// the visitor’s words.
;(() => {
  const script = document.currentScript
  if (!script?.src || window.tallyroom) return
  if (!__ORIGINS__.includes(location.origin)) {
    // The browser would draw a broken frame behind the button.
    // oxlint-disable-next-line no-console -- for the engineers of the site: its visitors see nothing.
    console.error(
      `Tallyroom: the pages of ${location.origin} may not show the conversation. Its operator can add them to WIDGET_ORIGINS.`,
    )
    return
  }
  const words = __WORDS__
  const home = new URL(script.src).origin
  const { shareCode, color, side, signIn } = script.dataset
  const address = shareCode ? `${home}/Signup/${encodeURIComponent(shareCode)}` : `${home}/m`
  // Keeps an opened conversation open on the next page of the site.
  const kept = {
    get: () => {
      try {
        return sessionStorage.getItem('tallyroom')
      } catch {
        return null
      }
    },
    set: (value) => {
      try {
        sessionStorage.setItem('tallyroom', value)
      } catch {
        // Without storage it starts closed.
      }
    },
  }

  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  // A constructed style sheet works under any content security policy of the site.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`
    :host { all: initial; }
    button { position: fixed; z-index: 2147483000; bottom: 16px; ${side === 'left' ? 'left' : 'right'}: 16px; width: 56px; height: 56px;
      border: 0; border-radius: 50%; background: var(--ground); color: #fff; cursor: pointer; box-shadow: 0 4px 16px rgb(0 0 0 / 25%); }
    button:focus-visible { outline: 3px solid #fff; box-shadow: 0 0 0 6px var(--ground); }
    svg { display: block; width: 28px; height: 28px; margin: auto; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
    span { position: absolute; top: -4px; right: -4px; min-width: 22px; box-sizing: border-box; padding: 0 6px; border-radius: 11px;
      background: #c62828; color: #fff; font: 600 13px/22px system-ui, sans-serif; text-align: center; }
    iframe { position: fixed; z-index: 2147483000; bottom: 84px; ${side === 'left' ? 'left' : 'right'}: 16px; width: min(400px, calc(100vw - 32px));
      height: min(640px, calc(100dvh - 100px)); border: 0; border-radius: 12px; background: #fff; box-shadow: 0 8px 32px rgb(0 0 0 / 30%); }
    [hidden] { display: none; }
    @media (max-width: 480px) { iframe { inset: 0 0 84px; width: 100vw; height: calc(100dvh - 84px); border-radius: 0; } }
  `)
  root.adoptedStyleSheets = [sheet]
  host.style.setProperty('--ground', CSS.supports('color', color ?? '') ? color : '#0b57d0')

  const button = document.createElement('button')
  button.type = 'button'
  button.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path/></svg><span aria-hidden="true" hidden></span>'
  const badge = button.querySelector('span')
  const drawing = button.querySelector('path')
  let frame
  let isReady = false
  let unread = 0
  let isOpen = false
  /** The page's own id of the member who is signed in on it; empty for nobody, undefined where it does not say. */
  let { member } = script.dataset
  /** Whether the session of the frame has to end first. */
  let isFresh = false

  const show = () => {
    button.setAttribute('aria-expanded', String(isOpen))
    const name = isOpen ? words.close : words.open
    button.setAttribute('aria-label', unread && !isOpen ? `${name} (${unread})` : name)
    drawing.setAttribute('d', isOpen ? 'M6 6l12 12M18 6 6 18' : 'M4 5h16v11H9l-5 4z')
    badge.hidden = isOpen || unread === 0
    badge.textContent = unread > 99 ? '99+' : String(unread)
    if (frame) frame.hidden = !isOpen
  }
  const tell = (what, more) => frame.contentWindow.postMessage({ ...more, tallyroom: what }, home)
  const greet = () => {
    if (!isReady) return
    tell('hello', signIn && { signIn: true, member, fresh: isFresh })
    isFresh = false
  }
  /** Asks the page's own server for a one-time token. It goes to the frame, and nowhere else. */
  const askServer = async () => {
    const answer = await fetch(signIn, {
      method: 'POST',
      // Another site's page cannot send this header along with the visitor's cookies.
      headers: { 'content-type': 'application/json', 'x-tallyroom-widget': '1' },
      body: '{}',
      mode: 'same-origin',
      credentials: 'same-origin',
      cache: 'no-store',
      // Many servers send a visitor who is not signed in to a page that asks for a password.
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    if (answer.status === 401 || answer.type === 'opaqueredirect') return { why: 'signed-out' }
    if (!answer.ok) throw new Error(`the answer has status ${answer.status}`)
    const { token } = await answer.json()
    if (typeof token !== 'string' || !token) throw new Error('the answer has no text "token"')
    return { token }
  }
  const answerFrame = async (ask) => {
    const answer = await askServer().catch((error) => {
      // oxlint-disable-next-line no-console -- for the engineers of the site: its visitors read a sentence in the frame.
      console.error(`Tallyroom: POST ${signIn} brought no token: ${error.message}`)
      return { why: 'failed' }
    })
    tell('signed', { ...answer, ask })
  }
  const load = () => {
    if (frame) return
    frame = document.createElement('iframe')
    frame.title = words.open
    frame.allow = `clipboard-write ${home}; microphone ${home}`
    // Known to the frame before any message: it shows neither a form nor the member of an earlier page meanwhile.
    if (signIn) frame.name = 'tallyroom-sign-in'
    frame.src = address
    root.append(frame)
  }
  const toggle = (open) => {
    isOpen = open
    if (open) load()
    kept.set(open ? 'open' : 'closed')
    show()
    if (!open) return button.focus()
    frame.focus()
    // Until it is loaded the frame is of another origin; then its first field takes the focus itself.
    if (isReady) tell('open')
  }

  button.addEventListener('click', () => toggle(!isOpen))
  window.addEventListener('message', ({ origin, source, data }) => {
    if (origin !== home || !frame || source !== frame.contentWindow) return
    if (data?.tallyroom === 'ready') {
      isReady = true
      greet()
    }
    if (data?.tallyroom === 'close') toggle(false)
    if (data?.tallyroom === 'sign-in' && signIn) void answerFrame(data.ask)
    if (data?.tallyroom === 'unread' && Number.isInteger(data.count)) {
      unread = data.count
      show()
    }
  })
  window.tallyroom = { open: () => toggle(true), close: () => toggle(false) }
  if (signIn) {
    window.tallyroom.signIn = (who) => {
      member = who === undefined ? undefined : String(who)
      isFresh ||= who === undefined
      greet()
    }
    window.tallyroom.signOut = () => {
      member = ''
      isFresh = true
      // The session may be of an earlier page, which had opened the conversation.
      load()
      greet()
    }
  }
  root.append(button)
  show()

  const begin = () => {
    document.body.append(host)
    const before = kept.get()
    if (!before) return
    load()
    isOpen = before === 'open'
    show()
  }
  if (document.body) begin()
  else document.addEventListener('DOMContentLoaded', begin)
})()
