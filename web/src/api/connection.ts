import { useEffect, useRef, useSyncExternalStore } from 'react'
import { askAlive, liveState, type LiveState, onConnected, subscribeLive } from './live.ts'

/** A shorter interruption shows nothing: the socket connects again after half a second. */
const SHORT_MS = 1000
/** The first connection of a page loads its library first, on a slow phone for seconds: nothing is lost yet. */
const START_MS = 10_000
/** Pause between an answer and the next question. With the time for an answer it stays below 2 s (CONV-16). */
const ASK_MS = 500
/** The shortest time for an answer: a busy server takes a second at times. */
const ANSWER_MS = 1400
/** An answer is late after this many times the last round trip: a slow line is not a lost one. */
const SLOW = 4
/** A timer that is later than this says that the page was busy. */
const LATE_MS = 200

type Options = {
  live: { state: () => LiveState; subscribe: (listener: () => void) => () => void }
  /** Asks the server for a sign of life. @returns false without a socket */
  ask: (answered: () => void) => boolean
  isOnline: () => boolean
  isVisible: () => boolean
}

/**
 * Since when the line to the server is lost. A browser says at once that it has no network and a closed socket that it
 * is closed; a line that swallows everything says nothing, so `start({ asks: true })` asks the server every second.
 */
export const makeConnection = ({ live, ask, isOnline, isVisible }: Options) => {
  const listeners = new Set<() => void>()
  let lostSince: number | undefined
  let since: number | undefined
  let wasOn = false
  let isSilent = false
  let roundTrip = 0
  let asked = 0
  let grace: ReturnType<typeof setTimeout> | undefined
  let timers: ReturnType<typeof setTimeout>[] = []

  const setLost = (next: number | undefined) => {
    if (next === lostSince) return
    lostSince = next
    for (const listener of listeners) listener()
  }

  const update = () => {
    const state = live.state()
    if (state === 'on') wasOn = true
    clearTimeout(grace)
    if (isOnline() && (state === 'off' || (state === 'on' && !isSilent))) {
      since = undefined
      return setLost(undefined)
    }
    since ??= performance.now()
    const begun = since
    const left = !isOnline() || isSilent ? 0 : begun + (wasOn ? SHORT_MS : START_MS) - performance.now()
    if (left <= 0) return setLost(begun)
    grace = setTimeout(() => setLost(begun), left)
  }

  const later = (ms: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers = timers.filter((other) => other !== timer)
      act()
    }, ms)
    timers.push(timer)
  }
  const askAgain = () => {
    const mine = ++asked
    const at = performance.now()
    const isCurrent = () => mine === asked
    const isAsked =
      isVisible() &&
      ask(() => {
        if (!isCurrent()) return
        roundTrip = performance.now() - at
        isSilent = false
        update()
        later(ASK_MS, () => isCurrent() && askAgain())
      })
    if (!isAsked) return later(ASK_MS, () => isCurrent() && askAgain())
    const judgeAfter = (ms: number) => {
      const due = performance.now() + ms
      later(ms, () => {
        if (!isCurrent()) return
        // The page itself was busy: the answer may be waiting behind this timer.
        if (performance.now() - due > LATE_MS) return judgeAfter(LATE_MS)
        isSilent = true
        update()
      })
    }
    judgeAfter(Math.max(ANSWER_MS, SLOW * roundTrip))
  }

  return {
    lostSince: () => lostSince,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** Call it when the browser reports a change of its network. */
    update,
    start: ({ asks }: { asks: boolean }) => {
      const stop = live.subscribe(() => {
        // The answer to an earlier question will not come on another socket.
        isSilent = false
        if (asks && live.state() === 'on') askAgain()
        update()
      })
      update()
      if (asks) askAgain()
      return () => {
        stop()
        asked++
        clearTimeout(grace)
        for (const timer of timers) clearTimeout(timer)
        timers = []
        wasOn = false
        isSilent = false
        since = undefined
        setLost(undefined)
      }
    },
  }
}

const connection = makeConnection({
  live: { state: liveState, subscribe: subscribeLive },
  ask: askAlive,
  isOnline: () => navigator.onLine,
  isVisible: () => !document.hidden,
})

/** Watches the line while a page is signed in. `asks`: the back office, where a silent line must be noticed too. */
export const watchConnection = (options: { asks: boolean }): (() => void) => {
  const stop = connection.start(options)
  window.addEventListener('online', connection.update)
  window.addEventListener('offline', connection.update)
  return () => {
    stop()
    window.removeEventListener('online', connection.update)
    window.removeEventListener('offline', connection.update)
  }
}

/** Resolves after a pause that grows with the tries, or as soon as the line to the server is back. */
export const nextTry = (tries: number): Promise<void> =>
  new Promise((resolve) => {
    let wasLost = connection.lostSince() !== undefined
    const timer = setTimeout(done, Math.min(15_000, 1000 * 2 ** tries))
    const stops = [
      onConnected(done),
      connection.subscribe(() => {
        const isLost = connection.lostSince() !== undefined
        if (wasLost && !isLost) done()
        wasLost = isLost
      }),
    ]
    function done() {
      clearTimeout(timer)
      for (const stop of stops) stop()
      resolve()
    }
  })

/** Since when (of `performance.now()`) the line to the server is lost; undefined while it is not. */
export const useLostSince = () => useSyncExternalStore(connection.subscribe, connection.lostSince)

/** `back`: it was lost while the caller was shown, which is to be said as well as the loss. */
export const useLine = (): 'fine' | 'lost' | 'back' => {
  const isLost = useLostSince() !== undefined
  const wasLost = useRef(false)
  useEffect(() => {
    if (isLost) wasLost.current = true
  }, [isLost])
  return isLost ? 'lost' : wasLost.current ? 'back' : 'fine'
}
