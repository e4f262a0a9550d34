const FIRST_MS = 100
const APART_MS = 1000

/** Combines frequent calls of `soon`: runs shortly after the first, and at most once a second. */
export const throttle = (run: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = -APART_MS
  return {
    soon: () => {
      timer ??= setTimeout(
        () => {
          timer = undefined
          last = performance.now()
          run()
        },
        Math.max(FIRST_MS, last + APART_MS - performance.now()),
      )
    },
    stop: () => clearTimeout(timer),
  }
}
