import { useEffect, useRef, useState } from 'react'
import { onEvent, sendLooking, sendTyping } from '../../api/live.ts'

/** A signal is repeated at most every ..._AGAIN_MS, and ends ..._FOR_MS after the last one received. */
const TYPING_AGAIN_MS = 3000
const TYPING_FOR_MS = 5000
const LOOKING_AGAIN_MS = 20_000
const LOOKING_FOR_MS = 45_000

let lastTyped = { key: '', at: 0 }
export const signalTyping = (code: string, inside = false) => {
  const key = `${code}/${inside}`
  const now = performance.now()
  if (lastTyped.key === key && now - lastTyped.at < TYPING_AGAIN_MS) return
  lastTyped = { key, at: now }
  sendTyping(code, inside)
}
/** Call it when the text was sent: the next key sends the typing signal at once. */
export const resetTyping = () => {
  lastTyped = { key: '', at: 0 }
}

export type PresentPerson = { id: number; name: string }
type ExpiringPerson = PresentPerson & { until: number }

/** Keeps who is typing in a room. A message ends its sender's signal. */
export const useTyping = (code: string): readonly PresentPerson[] => {
  const [people, setPeople] = useState<readonly ExpiringPerson[]>([])
  useEffect(() => {
    const stops = [
      onEvent('presence', (event) => {
        if (event.code !== code || event.what !== 'typing') return
        const one = { id: event.account_id, name: event.name, until: performance.now() + TYPING_FOR_MS }
        setPeople((all) => [...all.filter(({ id }) => id !== one.id), one])
      }),
      onEvent('room', (change) => {
        if (change.code === code && change.messages.some((message) => !message.is_self))
          setPeople((all) => all.filter(({ id }) => id !== 0))
      }),
    ]
    const timer = setInterval(
      () => setPeople((all) => (all.some(isExpired) ? all.filter((one) => !isExpired(one)) : all)),
      1000,
    )
    return () => {
      clearInterval(timer)
      for (const stop of stops) stop()
    }
  }, [code])
  return people
}
const isExpired = ({ until }: ExpiringPerson) => until < performance.now()

/** Signals that this user looks at the room, and returns the colleagues who do. Back office only. */
export const useViewers = (code: string): readonly PresentPerson[] => {
  const [people, setPeople] = useState<readonly ExpiringPerson[]>([])
  const known = useRef(new Set<number>())
  useEffect(() => {
    const signal = () => sendLooking(code, !document.hidden)
    // Wait until the server has joined this socket to the room.
    const first = setTimeout(signal, 300)
    const again = setInterval(() => {
      if (!document.hidden) signal()
      setPeople((all) => (all.some(isExpired) ? all.filter((one) => !isExpired(one)) : all))
    }, LOOKING_AGAIN_MS)
    const stop = onEvent('presence', (event) => {
      if (event.code !== code || event.what === 'typing' || event.account_id === 0) return
      const id = event.account_id
      if (event.what === 'gone') {
        known.current.delete(id)
        setPeople((all) => all.filter((one) => one.id !== id))
        return
      }
      // A new viewer does not know yet that this user is here.
      if (!known.current.has(id)) signal()
      known.current.add(id)
      setPeople((all) => [
        ...all.filter((one) => one.id !== id),
        { id, name: event.name, until: performance.now() + LOOKING_FOR_MS },
      ])
    })
    document.addEventListener('visibilitychange', signal)
    return () => {
      clearTimeout(first)
      clearInterval(again)
      stop()
      document.removeEventListener('visibilitychange', signal)
      sendLooking(code, false)
      known.current.clear()
      setPeople([])
    }
  }, [code])
  return people
}
