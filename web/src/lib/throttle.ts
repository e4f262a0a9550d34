const FIRST_MS = 100
const APART_MS = 1000

/** Combines frequent calls of `soon`: runs shortly after the first, and at most once in `apart` ms. */
export const throttle = (run: () => void, apart = APART_MS) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = -apart
  return {
    soon: () => {
      timer ??= setTimeout(
        () => {
          timer = undefined
          last = performance.now()
          run()
        },
        Math.max(FIRST_MS, last + apart - performance.now()),
      )
    },
    stop: () => clearTimeout(timer),
  }
}
