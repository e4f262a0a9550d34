import { useEffect } from 'react'

type Wanted = { code: string; act: 'points' | 'handOver'; amount: string }

/** How long a room may take to open. Later the act would come as a surprise. */
const PATIENCE = 5000

let wanted: (Wanted & { until: number }) | undefined
const listeners = new Set<() => void>()

/** Wants an act on a room that may not be open yet. Only this room does it, whatever is on the screen meanwhile. */
export const wantAct = (next: Wanted) => {
  wanted = { ...next, until: performance.now() + PATIENCE }
  for (const listener of listeners) listener()
}

/** Does the act once it is wanted of this room; `run` is undefined while the room cannot do it. */
export const useWantedAct = (code: string, act: Wanted['act'], run: ((amount: string) => void) | undefined): void => {
  // Without a list of dependencies: the function of the last render is the one that runs.
  useEffect(() => {
    if (!run) return
    const look = () => {
      if (wanted?.code !== code || wanted.act !== act) return
      const { amount, until } = wanted
      wanted = undefined
      if (performance.now() < until) run(amount)
    }
    look()
    listeners.add(look)
    return () => void listeners.delete(look)
  })
}
