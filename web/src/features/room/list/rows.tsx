import { useVirtualizer } from '@tanstack/react-virtual'
import type { RoomSummary } from '@tallyroom/contract/events'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useWords } from '../../../i18n/i18n.ts'
import { isFocusFree } from '../../../ui/keyboard/keep-focus.ts'
import type { ScrollPosition } from '../state/scroll-position.ts'
import type { ActivityHandlers } from '../state/use-steady-order.ts'

/** Scripts with tall letters need a taller row. */
const heightOf = (language: string) => (/^(my|ta|th|bn)$/.test(language) ? 86 : 74)
const HEADING = 32

type Props = {
  rooms: readonly RoomSummary[]
  /** Rooms whose rows stay empty. */
  gone?: ReadonlySet<string>
  /** A list whose order stays while the pointer or focus is in it has these. */
  handlers?: ActivityHandlers
  label: string
  renderRow: (room: RoomSummary) => ReactNode
  /** How many rooms, from the first on, wait: they and the others get a heading, if there are both. */
  waiting?: number
  /** The id of the open room: its row stays in view when another room is opened by keys. */
  current?: string | undefined
  /** A list that a room replaces on a small screen keeps its position here. */
  scrollPosition?: ScrollPosition
}

/** A virtual list: only visible rows are rendered, for lists of 10,000 rooms. */
export const Rows = ({ rooms, gone, handlers, waiting = 0, label, renderRow, scrollPosition, current }: Props) => {
  const { t } = useWords()
  const height = heightOf(document.documentElement.lang)
  const isGrouped = waiting > 0 && waiting < rooms.length
  // The headings are rows too: the first, and the one after the last waiting room.
  const isHeading = (index: number) => isGrouped && (index === 0 || index === waiting + 1)
  const roomAt = (index: number) => (isGrouped ? index - (index > waiting ? 2 : 1) : index)
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const virtualizer = useVirtualizer({
    count: rooms.length + (isGrouped ? 2 : 0),
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (isHeading(index) ? HEADING : height),
    getItemKey: (index) => (isHeading(index) ? `heading ${index === 0}` : (rooms[roomAt(index)]?.code ?? index)),
    overscan: 8,
    initialOffset: scrollPosition?.offset ?? 0,
  })
  const at = rooms.findIndex(({ room_id }) => String(room_id) === current)
  const rowOfCurrent = !isGrouped || at < 0 ? at : at + (at < waiting ? 1 : 2)
  const follow = useEffectEvent(() => {
    if (rowOfCurrent >= 0) virtualizer.scrollToIndex(rowOfCurrent, { align: 'auto' })
  })
  // Not when the order changes: somebody who has scrolled on is reading.
  useEffect(() => follow(), [current])
  const rows = virtualizer.getVirtualItems()
  const isDrawn = rows.length > 0
  useEffect(() => {
    const left = scrollPosition?.room
    if (!isDrawn || !scrollPosition || left === undefined) return
    scrollPosition.room = undefined
    // Do not take the focus from another element.
    if (!isFocusFree()) return
    // The room may have moved out of view or left the list: then focus the list itself.
    const link = list.current?.querySelector<HTMLElement>(`[data-room="${left}"] a`)
    const target = link ?? list.current
    target?.focus({ preventScroll: true })
  }, [scrollPosition, isDrawn])
  return (
    <div
      {...handlers}
      ref={scroller}
      className="room-rows"
      data-rows="[data-room]"
      onScroll={(event) => {
        if (scrollPosition) scrollPosition.offset = event.currentTarget.scrollTop
        handlers?.onScroll()
      }}
    >
      <ul ref={list} tabIndex={-1} aria-label={label} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => {
          if (isHeading(row.index)) {
            const isFirst = row.index === 0
            return (
              <li
                key={row.key}
                // The rows say themselves that they wait; as an item it would be counted among them.
                aria-hidden="true"
                className="room-group"
                style={{ height: HEADING, transform: `translateY(${row.start}px)` }}
              >
                {t(isFirst ? 'chat.group_waiting' : 'chat.group_answered')}{' '}
                <span className="points">{isFirst ? waiting : rooms.length - waiting}</span>
              </li>
            )
          }
          const index = roomAt(row.index)
          const room = rooms[index]
          return (
            room && (
              <li
                key={row.key}
                style={{ height, transform: `translateY(${row.start}px)` }}
                data-room={room.room_id}
                aria-setsize={rooms.length}
                aria-posinset={index + 1}
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
