import { useEffect, useState } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import { type Item, lastMessage } from './items.ts'

/** Number of messages from the other side that arrived while the user was reading further up. */
export const useNewBelow = (items: readonly Item[], atEnd: boolean) => {
  const [from, setFrom] = useState(0)
  const last = lastMessage(items)?.seq ?? 0
  useEffect(() => {
    if (atEnd) setFrom(last)
  }, [atEnd, last])
  if (atEnd) return 0
  return items.filter((item) => item.kind === 'message' && item.message.seq > from && !item.message.is_self).length
}

/** The "New" line above the first message that nobody has seen yet (new-line.ts). */
export const NewLine = () => {
  const { t } = useWords()
  const word = t('room.new')
  return (
    <div className="c-new" role="separator" aria-label={word}>
      {word}
    </div>
  )
}

export type FarNew = { count: number; onGo: () => void }
type ToNewProps = {
  items: readonly Item[]
  /** The line is above all that is loaded. */
  far: FarNew | undefined
  /** The first visible row; undefined until the view has reached its first position. */
  firstRow: number | undefined
  onGo: (row: number) => void
}

/** A button to the "New" line while it is above the view and has not been visible. */
export const ToNew = ({ items, firstRow, far, onGo }: ToNewProps) => {
  const { t } = useWords()
  const row = items.findIndex(({ kind }) => kind === 'new')
  const key = items[row]?.key
  const [seen, setSeen] = useState<string>()
  const above = firstRow !== undefined && (row >= 0 ? firstRow > row : far !== undefined)
  const inView = row >= 0 && firstRow !== undefined && firstRow <= row
  useEffect(() => {
    if (inView) setSeen(key)
  }, [inView, key])
  if (!above || (key !== undefined && seen === key)) return null
  const isNew = (item: Item) => item.kind === 'message' && !item.message.is_self
  const n = row >= 0 || !far ? items.slice(row).filter(isNew).length : far.count
  const count = t('room.new_below', { n })
  return (
    // The name has the visible words too: people say those to a program that listens.
    <button
      type="button"
      className="c-to-new"
      aria-label={`${count}. ${t('room.to_new')}`}
      onClick={() => (row >= 0 ? onGo(row) : far?.onGo())}
    >
      <Icon name="chevronUp" size={16} />
      {count}
    </button>
  )
}
