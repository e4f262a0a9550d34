import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../words.ts'

type Props = { to: '/chat/messaging' | '/index'; title: ReactNode; children?: ReactNode; ai?: boolean }

/** On a small screen: where one is, and the way back. */
export const TopBar = ({ to, title, children, ai = false }: Props) => {
  const { t } = useWords()
  return (
    <header className="chat-bar c-look-head">
      <Link to={to} search={ai ? { ai: 1 } : {}} className="c-round" aria-label={t('action.back')}>
        <Icon name="chevronLeft" size={22} />
      </Link>
      <h1>{title}</h1>
      {children}
    </header>
  )
}
