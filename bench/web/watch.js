// Injected into the page before it loads: the values that Lighthouse uses, as the browser reports them. A page that
// reloads itself (our sign-in page does, by AUTH-03) is one visit: times count from its first request.
const BLOCKING = 50
const seen = { 'largest-contentful-paint': [], longtask: [], 'layout-shift': [], paint: [] }
const observers = Object.entries(seen).map(([type, entries]) => {
  const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()))
  observer.observe({ type, buffered: true })
  return [observer, entries]
})
const isPage = location.protocol.startsWith('http')
const before = (isPage && JSON.parse(sessionStorage.getItem('visit') ?? 'null')) || {
  began: performance.timeOrigin,
  work: 0,
  shift: 0,
}
/** The time between the first request and the request of this document. */
const late = performance.timeOrigin - before.began

const over = (from) =>
  seen.longtask.reduce((sum, { startTime, duration }) => {
    const end = startTime + duration
    // Like Lighthouse: of a task that began before, only the time after it counts.
    return sum + Math.max(0, end - Math.max(startTime + BLOCKING, from))
  }, 0)
const shifted = () =>
  seen['layout-shift'].reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0)

addEventListener('pagehide', () => {
  for (const [observer, entries] of observers) entries.push(...observer.takeRecords())
  const visit = { began: before.began, work: before.work + over(0), shift: before.shift + shifted() }
  if (isPage) sessionStorage.setItem('visit', JSON.stringify(visit))
})

window.lastWork = () => Math.max(0, ...seen.longtask.map(({ startTime, duration }) => startTime + duration))

window.measured = () => {
  const first = seen.paint.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? 0
  return {
    largest: late + (seen['largest-contentful-paint'].at(-1)?.startTime ?? 0),
    // Since the first paint, like Lighthouse; and since the page was requested.
    blocking: over(first),
    work: before.work + over(0),
    shift: before.shift + shifted(),
  }
}
