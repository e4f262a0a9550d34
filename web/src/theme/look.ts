import { useSyncExternalStore } from 'react'
import { keep, kept } from '../store.ts'

export type Look = 'light' | 'dark'

const listeners = new Set<() => void>()
const bySystem = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
const now = (): Look => {
  const chosen = kept('theme')
  return chosen === 'dark' || chosen === 'light' ? chosen : bySystem()
}

/** Puts the kept or the system's look on the page, and follows both. Call it once, before anything is drawn. */
export const startLook = () => {
  const show = () => {
    document.documentElement.dataset.theme = now()
    for (const tell of listeners) tell()
  }
  show()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show)
  window.addEventListener('storage', ({ key }) => {
    if (key === 'theme') show()
  })
}

export const setLook = (look: Look) => {
  keep('theme', look)
  document.documentElement.dataset.theme = look
  for (const tell of listeners) tell()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
export const useLook = (): Look => useSyncExternalStore(subscribe, now)
