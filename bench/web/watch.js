// Put into the page before it loads: what Lighthouse looks at, by the browser's own accounts of it.
const BLOCKING = 50
const seen = { 'largest-contentful-paint': [], longtask: [], 'layout-shift': [], paint: [] }
for (const [type, entries] of Object.entries(seen))
  new PerformanceObserver((list) => entries.push(...list.getEntries())).observe({ type, buffered: true })

window.lastWork = () => Math.max(0, ...seen.longtask.map(({ startTime, duration }) => startTime + duration))

window.measured = () => {
  const first = seen.paint.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? 0
  const over = (from) =>
    seen.longtask.reduce((sum, { startTime, duration }) => {
      const end = startTime + duration
      // As Lighthouse does: of a task that began before, only what comes after counts.
      return sum + Math.max(0, end - Math.max(startTime + BLOCKING, from))
    }, 0)
  return {
    largest: seen['largest-contentful-paint'].at(-1)?.startTime ?? 0,
    // Since the first paint, which is Lighthouse's; and since the page was asked for.
    blocking: over(first),
    work: over(0),
    shift: seen['layout-shift'].reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0),
  }
}
