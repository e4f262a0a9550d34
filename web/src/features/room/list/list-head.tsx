import type { ReactNode } from 'react'
import { Search } from '../../../chat/view/list-parts.tsx'
import { ZoneNote } from '../../../ui/zone-note.tsx'

type Props = {
  /** On a small screen the bar above has title and tools. */
  small: boolean
  title: string
  /** The inbox is beside a room, whose name is the title of the page. */
  heading?: 'h1' | 'h2'
  tools: ReactNode
  text: string
  onSearch: (text: string) => void
  children: ReactNode
}

/** The head of every list of the inbox: its title and tools, the search, and the views. */
export const ListHead = ({ small, title, heading: Title = 'h1', tools, text, onSearch, children }: Props) => (
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
