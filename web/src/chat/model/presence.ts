import { useEffect, useRef, useState } from 'react'
import { heard, sendLooking, sendTyping } from '../../api/live.ts'

/** A signal is repeated at most every ..._AGAIN_MS, and ends ..._FOR_MS after the last one received. */
const TYPING_AGAIN_MS = 3000
const TYPING_FOR_MS = 5000
const LOOKING_AGAIN_MS = 20_000
const LOOKING_FOR_MS = 45_000

let lastTyped = { key: '', at: 0 }
export const typing = (code: string, inside = false) => {
  const key = `${code}/${inside}`
  const now = Date.now()
  if (lastTyped.key === key && now - lastTyped.at < TYPING_AGAIN_MS) return
  lastTyped = { key, at: now }
  sendTyping(code, inside)
}
/** Call it when the text was sent: the next key sends the typing signal at once. */
export const typed = () => {
  lastTyped = { key: '', at: 0 }
}

export type Someone = { id: number; name: string }
type Until = Someone & { until: number }

/** Who is typing in a room. A message ends its sender's signal. */
export const useTyping = (code: string): readonly Someone[] => {
  const [people, setPeople] = useState<readonly Until[]>([])
  useEffect(() => {
    const stops = [
      heard('presence', (said) => {
        if (said.code !== code || said.what !== 'typing') return
        const one = { id: said.account_id, name: said.name, until: Date.now() + TYPING_FOR_MS }
        setPeople((all) => [...all.filter(({ id }) => id !== one.id), one])
      }),
      heard('room', (change) => {
        if (change.code === code && change.messages.some((message) => !message.is_self))
          setPeople((all) => all.filter(({ id }) => id !== 0))
      }),
    ]
    const timer = setInterval(
      () => setPeople((all) => (all.some(isOver) ? all.filter((one) => !isOver(one)) : all)),
      1000,
    )
    return () => {
      clearInterval(timer)
      for (const stop of stops) stop()
    }
  }, [code])
  return people
}
const isOver = ({ until }: Until) => until < Date.now()

/** Signals that this user looks at the room, and returns the colleagues who do. Back office only. */
export const useLooking = (code: string): readonly Someone[] => {
  const [people, setPeople] = useState<readonly Until[]>([])
  const known = useRef(new Set<number>())
  useEffect(() => {
    const say = () => sendLooking(code, !document.hidden)
    // Wait until the server has joined this socket to the room.
    const first = setTimeout(say, 300)
    const again = setInterval(() => {
      if (!document.hidden) say()
      setPeople((all) => (all.some(isOver) ? all.filter((one) => !isOver(one)) : all))
    }, LOOKING_AGAIN_MS)
    const stop = heard('presence', (said) => {
      if (said.code !== code || said.what === 'typing' || said.account_id === 0) return
      const id = said.account_id
      if (said.what === 'gone') {
        known.current.delete(id)
        setPeople((all) => all.filter((one) => one.id !== id))
        return
      }
      // A new viewer does not know yet that this user is here.
      if (!known.current.has(id)) say()
      known.current.add(id)
      setPeople((all) => [
        ...all.filter((one) => one.id !== id),
        { id, name: said.name, until: Date.now() + LOOKING_FOR_MS },
      ])
    })
    document.addEventListener('visibilitychange', say)
    return () => {
      clearTimeout(first)
      clearInterval(again)
      stop()
      document.removeEventListener('visibilitychange', say)
      sendLooking(code, false)
      known.current.clear()
      setPeople([])
    }
  }, [code])
  return people
}
