import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { openPalette } from '../../ui/palette-state.ts'
import { Icon } from '../../ui/icon.tsx'
import { useWords } from '../../i18n/i18n.ts'

type Props = {
  /** Where "Back" leads. The pages of the menu below need none. */
  to?: '/chat/messaging'
  title: ReactNode
  children?: ReactNode
  ai?: boolean
}

/** The bar on a small screen: title, back button and menu. A room's header has no space for the menu. */
export const TopBar = ({ to, title, children, ai = false }: Props) => {
  const { t } = useWords()
  return (
    <header className="chat-bar c-theme-head">
      {to && (
        <Link to={to} search={ai ? { ai: 1 } : {}} className="c-round" aria-label={t('action.back')}>
          <Icon name="chevronLeft" size={22} />
        </Link>
      )}
      <h1>{title}</h1>
      {children ?? <PaletteButton />}
    </header>
  )
}

export const PaletteButton = () => {
  const { t } = useWords()
  return (
    <button
      type="button"
      className="c-round"
      aria-label={t('palette.title')}
      aria-haspopup="dialog"
      onClick={openPalette}
    >
      <Icon name="search" />
    </button>
  )
}
