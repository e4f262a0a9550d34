// Injected into the page before it loads. Measures from an event until the table's first row has the expected text,
// checked every frame, up to the first task after that frame, when it is painted. The result is in `window.painted`.
window.watch = (event, expected) => {
  window.painted = new Promise((resolve) => {
    let began
    addEventListener(event, ({ timeStamp }) => (began = timeStamp), { capture: true, once: true })
    const look = () => {
      const row = document.querySelector('tr[aria-rowindex="2"]')
      if (began === undefined || !row?.textContent.includes(expected)) return requestAnimationFrame(look)
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - began)
      window.began = began
      port2.postMessage(0)
    }
    requestAnimationFrame(look)
  })
}

// Until the table says that its rows are all there.
window.whole = () =>
  new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('.table-rest')) return requestAnimationFrame(look)
      resolve(performance.now() - window.began)
    }
    look()
  })
