import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { goBack } from './overlay/close-on-back.ts'

/**
 * Which entry of a page is open in a drawer, kept in the address under `key`: the browser's "back" closes it, and a reload
 * or a link opens it again. A phone's "back" would else leave the page.
 */
export const useOpened = (key: 'request' | 'transfer' | 'approval') => {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  /** The entry of the history before this one is the page without the drawer. */
  const isAbove = useRef(false)
  const value = search[key]
  const go = (next: string | number | undefined, replace: boolean) =>
    void navigate({ to: '.', search: (now: Record<string, unknown>) => ({ ...now, [key]: next }), replace })
  return {
    opened: typeof value === 'string' || typeof value === 'number' ? String(value) : undefined,
    open: (entry: string | number) => {
      // From one entry to another: "back" closes the drawer at once.
      const isOpen = value !== undefined
      isAbove.current ||= !isOpen
      go(entry, isOpen)
    },
    close: () => {
      if (!isAbove.current) return go(undefined, true)
      isAbove.current = false
      goBack((steps) => router.history.go(steps))
    },
  }
}
