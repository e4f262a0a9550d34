import type { RoomSummary } from '@tallyroom/contract/events'
import {
  type FocusEvent,
  type PointerEvent,
  type TouchEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { countWaiting, type SteadyOrder, keepOrder } from './steady-order.ts'

/** A list flicked by touch may pause this long (ms) between scroll events. */
const SCROLL_PAUSE = 300

const appliers = new Set<() => void>()
/** Call it after the user's own action (hide, show): the list may reorder at once. */
export const applyOrder = () => {
  for (const apply of appliers) apply()
}

/** The user's activity in the rows: while one of these is true, no row moves. */
const useActivity = () => {
  const [inside, setInside] = useState({ pointer: false, focus: false, touch: false })
  const rows = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const set = (part: Partial<typeof inside>) => setInside((before) => ({ ...before, ...part }))
  const onTouchOver = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      timer.current = undefined
      set({ touch: false })
    }, SCROLL_PAUSE)
  }
  const hasFocus = inside.focus
  useEffect(() => {
    if (!hasFocus) return
    // Removing a focused row fires no blur event.
    const moved = ({ target }: Event) => {
      if (!(target instanceof Node) || !rows.current?.contains(target)) set({ focus: false })
    }
    document.addEventListener('focusin', moved)
    return () => document.removeEventListener('focusin', moved)
  }, [hasFocus])
  useEffect(() => () => clearTimeout(timer.current), [])

  const handlers = {
    onPointerEnter: ({ pointerType }: PointerEvent) => pointerType !== 'touch' && set({ pointer: true }),
    onPointerLeave: () => set({ pointer: false }),
    onFocus: ({ currentTarget }: FocusEvent<HTMLDivElement>) => {
      rows.current = currentTarget
      set({ focus: true })
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
      (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) || set({ focus: false }),
    onTouchStart: () => {
      clearTimeout(timer.current)
      timer.current = undefined
      set({ touch: true })
    },
    onTouchEnd: ({ touches }: TouchEvent) => touches.length === 0 && onTouchOver(),
    onTouchCancel: onTouchOver,
    /** The list scrolls on after the finger is lifted. */
    onScroll: () => timer.current !== undefined && onTouchOver(),
  }
  const leave = useCallback(() => setInside({ pointer: false, focus: false, touch: false }), [])
  return { isInside: inside.pointer || inside.focus || inside.touch, handlers, leave }
}
export type ActivityHandlers = ReturnType<typeof useActivity>['handlers']

const none: ReadonlySet<string> = new Set()

/**
 * Keeps the order of a list that reorders by itself while the pointer or the focus is in it (CONV-08). The list's own
 * order (`wanted`) applies as soon as they leave, on `apply`, and when `criteria` (filter and sorting) changes.
 */
export const useSteadyOrder = (list: readonly RoomSummary[], wanted: readonly RoomSummary[], criteria: string) => {
  const { isInside, handlers, leave } = useActivity()
  const [shown, setShown] = useState<{ criteria: string; rows: readonly RoomSummary[] }>()
  const isSteady = isInside && shown?.criteria === criteria
  useEffect(() => {
    if (isInside && shown?.criteria !== criteria) setShown({ criteria, rows: wanted })
    if (!isInside && shown) setShown(undefined)
  }, [isInside, shown, criteria, wanted])
  useEffect(() => {
    // The next render keeps the order of that moment.
    const apply = () => setShown(undefined)
    appliers.add(apply)
    return () => void appliers.delete(apply)
  }, [])
  const order = useMemo<SteadyOrder>(
    () =>
      isSteady
        ? keepOrder(shown.rows, list, wanted)
        : { drawn: wanted, gone: none, waiting: countWaiting(wanted), moves: 0 },
    [isSteady, shown, list, wanted],
  )
  // Removing a row under the pointer fires no leave event.
  const isEmpty = order.drawn.length === order.gone.size
  useEffect(() => {
    if (isInside && isEmpty) leave()
  }, [isInside, isEmpty, leave])
  return { ...order, handlers, apply: () => setShown(undefined) }
}
