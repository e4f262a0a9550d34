import { useVirtualizer } from '@tanstack/react-virtual'
import type { RoomSummary } from '@tallyroom/contract/events'
import { type ReactNode, useEffect, useRef } from 'react'
import { isFocusFree } from '../../../ui/keep-focus.ts'
import type { ScrollPosition } from './scroll-position.ts'
import type { Hold } from './use-held-order.ts'

const HEIGHT = 68

type Props = {
  rooms: readonly RoomSummary[]
  /** Their rows stay empty. */
  gone?: ReadonlySet<string>
  /** Of a list whose order is held while somebody is in it. */
  hold?: Hold
  label: string
  draw: (room: RoomSummary) => ReactNode
  /** Of a list that makes place for a room and comes back. */
  place?: ScrollPosition
}

/** Ten thousand rooms, of which those in sight are drawn. */
export const Rows = ({ rooms, gone, hold, label, draw, place }: Props) => {
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
    // Somebody who does something else meanwhile goes on with that.
    if (!isFocusFree()) return
    // Its talk may have gone to another place, and the list stays where it was: then one is in the list, and in no row.
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
                {gone?.has(room.code) ? null : draw(room)}
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}
