import { useVirtualizer } from '@tanstack/react-virtual'
import type { RoomSummary } from '@tallyroom/contract/events'
import { type ReactNode, useRef } from 'react'

const HEIGHT = 68

type Props = { rooms: readonly RoomSummary[]; label: string; draw: (room: RoomSummary) => ReactNode }

/** Ten thousand rooms, of which those in sight are drawn. */
export const Rows = ({ rooms, label, draw }: Props) => {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rooms.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => HEIGHT,
    getItemKey: (index) => rooms[index]?.code ?? index,
    overscan: 8,
  })
  return (
    <div ref={scroller} className="room-rows">
      <ul aria-label={label} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((row) => {
          const room = rooms[row.index]
          return (
            room && (
              <li
                key={row.key}
                style={{ height: HEIGHT, transform: `translateY(${row.start}px)` }}
                aria-setsize={rooms.length}
                aria-posinset={row.index + 1}
              >
                {draw(room)}
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}
