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
  const { shareCode, color, side } = script.dataset
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
  let isLoaded = false
  let unread = 0
  let isOpen = false

  const show = () => {
    button.setAttribute('aria-expanded', String(isOpen))
    const name = isOpen ? words.close : words.open
    button.setAttribute('aria-label', unread && !isOpen ? `${name} (${unread})` : name)
    drawing.setAttribute('d', isOpen ? 'M6 6l12 12M18 6 6 18' : 'M4 5h16v11H9l-5 4z')
    badge.hidden = isOpen || unread === 0
    badge.textContent = unread > 99 ? '99+' : String(unread)
    if (frame) frame.hidden = !isOpen
  }
  const tell = (what) => frame.contentWindow.postMessage({ tallyroom: what }, home)
  const load = () => {
    if (frame) return
    frame = document.createElement('iframe')
    frame.title = words.open
    frame.allow = `clipboard-write ${home}; microphone ${home}`
    frame.addEventListener('load', () => {
      isLoaded = true
      tell('hello')
    })
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
    if (isLoaded) tell('open')
  }

  button.addEventListener('click', () => toggle(!isOpen))
  window.addEventListener('message', ({ origin, source, data }) => {
    if (origin !== home || !frame || source !== frame.contentWindow) return
    if (data?.tallyroom === 'close') toggle(false)
    if (data?.tallyroom === 'unread' && Number.isInteger(data.count)) {
      unread = data.count
      show()
    }
  })
  window.tallyroom = { open: () => toggle(true), close: () => toggle(false) }
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
