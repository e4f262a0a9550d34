import type { KeyboardEvent } from 'react'

const KEYS = ['ArrowDown', 'ArrowUp', 'Home', 'End'] as const
type Key = (typeof KEYS)[number]
const isKey = (key: string): key is Key => (KEYS as readonly string[]).includes(key)

/** Moves the focus among the entries of a menu by arrows, Home and End. */
export const stepInMenu = (event: KeyboardEvent, menu: HTMLElement | null): void => {
  if (!isKey(event.key)) return
  event.preventDefault()
  const all = [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)') ?? [])]
  const at = all.findIndex((item) => item === document.activeElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
  all.at(to % all.length)?.focus()
}
