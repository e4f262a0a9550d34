import type { ReactNode } from 'react'
import { Search } from '../../../chat/view/list-parts.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import { ZoneNote } from '../../../ui/zone-note.tsx'

type Props = {
  /** On a small screen the bar above has title and tools. */
  small: boolean
  title: string
  tools: ReactNode
  text: string
  onSearch: (text: string) => void
  children: ReactNode
}

/** The head of every list of the inbox: its title and tools, the search, and the views. */
export const ListHead = ({ small, title, tools, text, onSearch, children }: Props) => {
  const { t } = useWords()
  // The inbox beside a room is not the page's title, which is the room's name.
  const Title = title === t('chat.messaging') ? 'h2' : 'h1'
  return (
    <div className="room-tools">
      <ZoneNote />
      {!small && (
        <div className="room-top">
          <Title className="room-list-title">{title}</Title>
          {tools}
        </div>
      )}
      <Search value={text} onChange={onSearch} />
      {children}
    </div>
  )
}
