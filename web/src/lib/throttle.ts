const FIRST_MS = 100
const APART_MS = 1000

/** What is told often is asked for once: a moment after the first word of it, and at most once a second. */
export const throttle = (ask: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = -APART_MS
  return {
    soon: () => {
      timer ??= setTimeout(
        () => {
          timer = undefined
          last = performance.now()
          ask()
        },
        Math.max(FIRST_MS, last + APART_MS - performance.now()),
      )
    },
    stop: () => clearTimeout(timer),
  }
}
