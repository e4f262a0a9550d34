import type { WordKey } from '@tallyroom/locales'
import { Link } from '@tanstack/react-router'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import './page-head.css'

type SetElement = (element: HTMLElement | null) => void
type Props = { title: WordKey; onViewsElement: SetElement; onActsElement: SetElement }

/** The same head on every page: where it is (SHELL-06), its title, and the views and acts that the page puts beside it. */
export const PageHead = ({ title, onViewsElement, onActsElement }: Props) => {
  const { t } = useWords()
  const isHome = title === 'menu.home'
  return (
    // The home page greets instead.
    <header className={isHome ? 'visually-hidden' : 'page-head'}>
      <div className="page-title">
        <nav className="crumbs" aria-label={t('shell.here')}>
          {!isHome && (
            <>
              <Link to="/index">{t('menu.home')}</Link>
              <Icon name="chevronRight" size={12} />
            </>
          )}
          {/* The title beside it is the same word. */}
          <span className="visually-hidden" aria-current="page">
            {t(title)}
          </span>
        </nav>
        <h1>{t(title)}</h1>
      </div>
      <div className="page-views" ref={onViewsElement} />
      <div className="page-acts" ref={onActsElement} />
    </header>
  )
}
