// Injected into the page before it loads. All times are the page's own, on its slowed-down processor.
const afterFrame = () =>
  new Promise((resolve) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now())
      port2.postMessage(0)
    }),
  )

// Tasks of more than 50 ms. Chromium reports no shorter ones.
let tasks = []
new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true })
window.longTasks = async (since) => {
  await new Promise((resolve) => setTimeout(resolve, 100))
  const found = tasks.filter(({ startTime, duration }) => startTime + duration > since)
  tasks = []
  return { count: found.length, longest: Math.max(0, ...found.map(({ duration }) => duration)) }
}

/** The time of the first paint of something, since the page was requested or since a click. */
const painted = async (find) => {
  while (!find()) await afterFrame()
  return performance.now()
}
window.listPainted = () => painted(() => document.querySelector('.room-rows li .room-name'))

window.whenOpened = (last) => {
  const log = () => document.querySelector('[role=log]')
  window.opened = new Promise((resolve) => {
    addEventListener(
      'click',
      ({ timeStamp }) => {
        // Done when its last message is visible.
        const shown = painted(() => {
          const row = [...(log()?.querySelectorAll('.c-slot') ?? [])].findLast((slot) =>
            slot.textContent.includes(last),
          )
          return row && row.getBoundingClientRect().bottom <= log().getBoundingClientRect().bottom + 1
        })
        resolve(shown.then(async (at) => ({ ms: at - timeStamp, ...(await longTasks(timeStamp)) })))
      },
      { capture: true, once: true },
    )
  })
}

/**
 * Scrolls up like a wheel until older messages are requested, then stops. Measures in each frame how far the top row moves
 * from then on, until the older messages are in and for ten more frames.
 */
window.older = async () => {
  const log = document.querySelector('[role=log]')
  const height = log.scrollHeight
  const began = performance.now()
  while (!log.querySelector('.c-head button:disabled') && log.scrollHeight < height + 500) {
    log.scrollTop -= 120
    await afterFrame()
  }
  const asked = performance.now()
  const edge = log.getBoundingClientRect().top
  const row = [...log.querySelectorAll('.c-slot')].find((slot) => slot.getBoundingClientRect().bottom > edge)
  const before = row.getBoundingClientRect().top
  let shift = 0
  let ms
  for (let still = 0; still < 10; ) {
    await afterFrame()
    const moved = row.isConnected ? Math.abs(row.getBoundingClientRect().top - before) : Number.POSITIVE_INFINITY
    shift = Math.max(shift, moved)
    if (log.scrollHeight > height + 500) {
      ms ??= performance.now() - asked
      still++
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
  const onTheWay = tasks.filter(({ startTime }) => startTime >= began && startTime < asked).length
  return { ms, shift, onTheWay, ...(await longTasks(asked)) }
}

/** Scrolls the list by a row and a half in every frame, and returns the frames' times and how many were dropped. */
window.scrollList = async (frames) => {
  const list = document.querySelector('.room-rows')
  list.scrollTop = 0
  await afterFrame()
  const began = performance.now()
  const gaps = []
  let before = await new Promise(requestAnimationFrame)
  while (gaps.length < frames) {
    list.scrollTop += 102
    const now = await new Promise(requestAnimationFrame)
    gaps.push(now - before)
    before = now
  }
  const due = gaps.reduce((sum, gap) => sum + Math.max(1, Math.round(gap / (1000 / 60))), 0)
  return {
    dropped: 1 - frames / due,
    longest: Math.max(...gaps),
    ...(await longTasks(began)),
  }
}
