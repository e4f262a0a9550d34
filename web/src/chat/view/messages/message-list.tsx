import { MessageType } from '@tallyroom/contract/codes'
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import { imageSize } from './bubble.tsx'
import { type Item, lastMessage } from './items.ts'
import { isImageMessage, isFile, isPoints, isVoice } from '../../model/message-kinds.ts'
import type { Loading } from '../../model/rooms/loading.ts'
import { dayOf, dayLine } from './time.ts'
import { useDay } from '../../../i18n/use-day.ts'
import { type FarNew, NewLine, ToNew, useNewBelow } from './new-messages.tsx'
import { useInitialPosition } from './use-initial-position.ts'
import { belowView, END, useFollowEnd, useStayAtEnd } from './use-stay-at-end.ts'

type Props = {
  name: string
  items: readonly Item[]
  hasMore: boolean
  older: Loading
  onOlder: () => void
  /** Called with the seq of the newest message once all of it is in view. */
  onSeen: (seq: number) => void
  renderItem: (item: Item) => ReactNode
  /** The seq of the message that was searched for. */
  mark?: number | undefined
  /** A loaded message to show and to mark for a moment; another object goes there again. */
  goTo?: { seq: number } | undefined
  /** The first new message is not loaded: how many are new, and what goes there. */
  farNew?: FarNew | undefined
  /** Set for a history window: the list starts at the marked message and loads newer ones downwards. */
  past?: { hasNewer: boolean; newer: Loading; onNewer: () => void; onLatest: () => void } | undefined
}

/** The next page is loaded when the first visible row is this near to the first loaded one. */
const AHEAD = 8
const HEAD = 52
/** About the height of a quote in a bubble, in px. */
const QUOTE = 42
/** How long a message stays marked that was gone to, in ms. */
const MARKED_MS = 1600

const estimate = (item: Item | undefined): number => {
  if (!item || item.kind === 'day') return 40
  if (item.kind === 'new') return 36
  if (item.kind === 'aside') return item.aside.card ? 150 : 44 + 21 * Math.floor(item.aside.content.length / 45)
  const { type, content, width, height, quote } = item.kind === 'message' ? item.message : item.outgoing
  const above = quote ? QUOTE : 0
  if (isImageMessage(type)) return imageSize(width, height).height + 10 + above
  if (type === MessageType.event) return 34
  if (type === MessageType.notice) return 40 + 18 * Math.ceil(content.length / 60)
  if (isVoice(type) || isFile(type)) return 50 + above
  if (isPoints(type)) return 150
  return 18 + above + 21 * Math.ceil(content.length / 45)
}

const momentOf = (item: Item | undefined) =>
  item?.kind === 'message'
    ? item.message.created_at
    : item?.kind === 'outgoing'
      ? item.outgoing.at
      : item?.kind === 'aside'
        ? item.aside.created_at
        : undefined

/** Shows a message, and marks it for a moment. @returns the seq of the marked one */
const useGoTo = (goTo: Props['goTo'], show: (seq: number) => void) => {
  const [flash, setFlash] = useState<number>()
  const latest = useRef(show)
  latest.current = show
  useEffect(() => {
    if (!goTo) return
    latest.current(goTo.seq)
    setFlash(goTo.seq)
    const timer = setTimeout(() => setFlash(undefined), MARKED_MS)
    return () => clearTimeout(timer)
  }, [goTo])
  return flash
}

type ViewProps = Pick<Props, 'items' | 'past' | 'onSeen'> & {
  scroller: RefObject<HTMLDivElement | null>
  isPositioned: boolean
}

/** What is in view: whether the end is, and the newest message. `check` looks again, after a scroll. */
const useView = ({ scroller, items, isPositioned, past, onSeen }: ViewProps) => {
  const [atEnd, setAtEnd] = useState(!past)
  const newest = lastMessage(items)
  const newestRow = items.findLastIndex((item) => item.kind === 'message')
  const frame = useRef(0)
  // One frame later, when grown rows and the new scroll position are both rendered.
  const check = () => {
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => {
      const element = scroller.current
      if (!element) return
      const isAtEnd = belowView(element) <= END
      setAtEnd(isAtEnd)
      // Measured after the newest page was rendered: at its press a short window is at its own end, which is not the
      // room's, and the last page would close it at once.
      if (isAtEnd && isPositioned && past && !past.hasNewer) past.onLatest()
      const row = element.querySelector(`[data-index="${newestRow}"]`)?.getBoundingClientRect()
      const view = element.getBoundingClientRect()
      if (newest && row && row.bottom > view.top && row.bottom <= view.bottom + 1) onSeen(newest.seq)
    })
  }
  useEffect(check)
  useEffect(() => () => cancelAnimationFrame(frame.current), [])
  return { atEnd, check }
}

type PagesProps = Pick<Props, 'hasMore' | 'older' | 'onOlder' | 'past'> & { isPositioned: boolean; count: number }

/** Loads the next page when the view comes near to the first or the last loaded row. */
const usePages = (virtualizer: Virtualizer<HTMLDivElement, Element>, props: PagesProps) => {
  const { isPositioned, hasMore, older, onOlder, past, count } = props
  const first = virtualizer.range?.startIndex ?? 0
  useEffect(() => {
    if (isPositioned && hasMore && older === 'ready' && first < AHEAD) onOlder()
  }, [isPositioned, hasMore, older, first, onOlder])

  // Below an old message: load newer pages until the live end of the room is reached.
  const lastSeen = virtualizer.range?.endIndex ?? 0
  useEffect(() => {
    if (isPositioned && past?.hasNewer && past.newer === 'ready' && lastSeen >= count - AHEAD) past.onNewer()
  }, [isPositioned, past, lastSeen, count])
}

/** Virtual list anchored at its end: the view does not move when older messages are added above. */
export const MessageList = (props: Props) => {
  const { name, items, hasMore, older, onOlder, onSeen, renderItem, mark, goTo, farNew, past } = props
  const { t } = useWords()
  const scroller = useRef<HTMLDivElement>(null)
  const stay = useStayAtEnd(scroller, !past)
  const { isPinned, scrollToFn, onScroll } = stay
  const virtualizer = useVirtualizer({
    scrollToFn,
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimate(items[index]),
    getItemKey: (index) => items[index]?.key ?? index,
    anchorTo: 'end',
    followOnAppend: !past,
    overscan: 6,
    scrollEndThreshold: END,
    paddingStart: HEAD,
    // Below the floating day.
    scrollPaddingStart: HEAD,
    paddingEnd: past?.hasNewer ? HEAD : 12,
  })

  const marked = items.findIndex((item) => item.kind === 'message' && item.message.seq === mark)
  const [start] = useState(past ? marked : -1)
  useLayoutEffect(() => {
    if (start >= 0) virtualizer.scrollToIndex(start, { align: 'center' })
  }, [virtualizer, start])

  const scrollTo = (row: number, align: 'start' | 'center') => {
    isPinned.current = false
    // What was pressed may leave the page: the list gets the focus, and the keys that scroll go on from here.
    scroller.current?.focus({ preventScroll: true })
    if (row >= 0) virtualizer.scrollToIndex(row, { align })
  }
  const flash = useGoTo(goTo, (seq) =>
    scrollTo(
      items.findIndex((item) => item.kind === 'message' && item.message.seq === seq),
      'center',
    ),
  )

  useFollowEnd(virtualizer, scroller, stay)
  const isPositioned = useInitialPosition(virtualizer, start)

  // Scroll to a message that the user sends, wherever the user was reading.
  const last = items.at(-1)
  const ownLast = last?.kind === 'outgoing' ? last.key : undefined
  const toEnd = useCallback(() => {
    isPinned.current = true
    virtualizer.scrollToEnd()
  }, [isPinned, virtualizer])
  useEffect(() => {
    if (ownLast) toEnd()
  }, [ownLast, toEnd])

  const { atEnd, check } = useView({ scroller, items, isPositioned, past, onSeen })
  // Before the first visible row is read: it brings that up to date.
  const rows = virtualizer.getVirtualItems()
  usePages(virtualizer, { isPositioned, hasMore, older, onOlder, past, count: items.length })

  const first = virtualizer.range?.startIndex ?? 0
  const firstRow = isPositioned ? first : undefined
  const seen = momentOf(items[first]) ?? momentOf(items[first + 1])
  const below = useNewBelow(items, atEnd)

  return (
    <div className="c-list">
      <div
        ref={scroller}
        className="c-scroller"
        onScroll={() => {
          onScroll()
          check()
        }}
        role="log"
        aria-live="off"
        aria-label={t('room.messages', { name })}
        // Focusable, so that the keyboard can scroll it.
        tabIndex={0}
      >
        <div className="c-rows" style={{ height: virtualizer.getTotalSize() }}>
          <div className="c-head" style={{ height: HEAD }}>
            {hasMore ? (
              <PageButton words={olderWords} loading={older} onPress={onOlder} />
            ) : (
              <span className="c-note">{items.length ? t('room.beginning') : ''}</span>
            )}
          </div>
          {rows.map((row) => {
            const item = items[row.index]
            return (
              <div
                key={row.key}
                data-index={row.index}
                ref={virtualizer.measureElement}
                className="c-slot"
                aria-current={row.index === marked || undefined}
                data-flash={(item?.kind === 'message' && item.message.seq === flash) || undefined}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                {item && <Row item={item} renderItem={renderItem} />}
              </div>
            )
          })}
          {past?.hasNewer && (
            <div className="c-head c-foot" style={{ height: HEAD }}>
              <PageButton words={newerWords} loading={past.newer} onPress={past.onNewer} />
            </div>
          )}
        </div>
      </div>
      {!atEnd && seen && first > 0 && <Day className="c-day c-day-float" day={dayOf(seen)} isHidden />}
      {(!atEnd || past) && <ToEnd below={past ? 0 : below} onPress={past ? past.onLatest : toEnd} />}
      {!past && <ToNew items={items} firstRow={firstRow} far={farNew} onGo={(row) => scrollTo(row, 'start')} />}
    </div>
  )
}

const olderWords = { more: 'room.older', failed: 'room.older_failed' } as const
const newerWords = { more: 'room.newer', failed: 'room.newer_failed' } as const
type PageButtonProps = { words: typeof olderWords | typeof newerWords; loading: Loading; onPress: () => void }

/** Loads the next page of messages. */
const PageButton = ({ words, loading, onPress }: PageButtonProps) => {
  const { t } = useWords()
  return (
    <button type="button" className="c-link" disabled={loading === 'loading'} onClick={onPress}>
      {t(loading === 'loading' ? 'chat.loading' : loading === 'failed' ? words.failed : words.more)}
    </button>
  )
}

const Row = ({ item, renderItem }: Pick<Props, 'renderItem'> & { item: Item }) => {
  if (item.kind === 'day') return <Day className="c-day" day={item.day} />
  return item.kind === 'new' ? <NewLine /> : renderItem(item)
}

/** `below`: how many new messages are there. */
const ToEnd = ({ below, onPress }: { below: number; onPress: () => void }) => {
  const { t } = useWords()
  return (
    <button type="button" className="c-to-end" aria-label={t('room.to_end')} onClick={onPress}>
      {below > 0 && <span>{t('room.new_below', { n: below })}</span>}
      <Icon name="chevronDown" />
    </button>
  )
}

type DayProps = { className: string; day: string; isHidden?: true }

const Day = ({ className, day, isHidden }: DayProps) => {
  const { t } = useWords()
  const today = useDay()
  return (
    <div className={className} aria-hidden={isHidden}>
      {dayLine(day, today, t)}
    </div>
  )
}
