import { useVirtualizer } from '@tanstack/react-virtual'
import type { RoomSummary } from '@tallyroom/contract/events'
import { type ReactNode, useEffect, useRef } from 'react'
import { isFocusFree } from '../../../ui/keep-focus.ts'
import type { ScrollPosition } from './scroll-position.ts'
import type { Hold } from './use-held-order.ts'

const HEIGHT = 68

type Props = {
  rooms: readonly RoomSummary[]
  /** Rooms whose rows stay empty. */
  gone?: ReadonlySet<string>
  /** For a list whose order is held while the pointer or focus is in it. */
  hold?: Hold
  label: string
  renderRow: (room: RoomSummary) => ReactNode
  /** For a list that a room replaces on a small screen. */
  place?: ScrollPosition
}

/** A virtual list: only visible rows are rendered, for lists of 10,000 rooms. */
export const Rows = ({ rooms, gone, hold, label, renderRow, place }: Props) => {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const virtualizer = useVirtualizer({
    count: rooms.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => HEIGHT,
    getItemKey: (index) => rooms[index]?.code ?? index,
    overscan: 8,
    initialOffset: place?.offset ?? 0,
  })
  const rows = virtualizer.getVirtualItems()
  const isDrawn = rows.length > 0
  useEffect(() => {
    const left = place?.room
    if (!isDrawn || !place || left === undefined) return
    place.room = undefined
    // Do not take the focus from another element.
    if (!isFocusFree()) return
    // The room may have moved out of view or left the list: then focus the list itself.
    const link = list.current?.querySelector<HTMLElement>(`[data-room="${left}"] a`)
    const target = link ?? list.current
    target?.focus({ preventScroll: true })
  }, [place, isDrawn])
  return (
    <div
      {...hold}
      ref={scroller}
      className="room-rows"
      onScroll={(event) => {
        if (place) place.offset = event.currentTarget.scrollTop
        hold?.onScroll()
      }}
    >
      <ul ref={list} tabIndex={-1} aria-label={label} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => {
          const room = rooms[row.index]
          return (
            room && (
              <li
                key={row.key}
                style={{ height: HEIGHT, transform: `translateY(${row.start}px)` }}
                data-room={room.room_id}
                aria-setsize={rooms.length}
                aria-posinset={row.index + 1}
              >
                {gone?.has(room.code) ? null : renderRow(room)}
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}
