import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { Drawer } from 'antd'
import { useEffect, useState } from 'react'
import { useChosen } from '../theme/look.ts'
import { useMedia } from '../ui/use-media.ts'
import { useWords } from '../words.ts'
import { BackToTop } from './back-to-top.tsx'
import { Side } from './side.tsx'
import { ThemeDrawer } from './theme-drawer.tsx'
import { Toolbar } from './toolbar.tsx'

/** The frame of every page but the talk. */
export const Shell = () => {
  const { t } = useWords()
  const narrow = useMedia('(max-width: 1023px)')
  const [open, setOpen] = useState(false)
  const [theming, setTheming] = useState(false)
  const { side } = useChosen()
  const { pathname } = useLocation()
  const title = useMatches().at(-1)?.staticData.listTitle
  useEffect(() => setOpen(false), [pathname])
  useEffect(() => {
    document.title = title ? `${t(title)} · ${t('product.name')}` : t('product.name')
  })
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {t('shell.skip')}
      </a>
      {narrow ? (
        <Drawer
          open={open}
          placement="left"
          size={260}
          onClose={() => setOpen(false)}
          className={`side-drawer ${side}`}
          closable={false}
          aria-label={t('shell.menu')}
        >
          <Side />
        </Drawer>
      ) : (
        <aside className={`side-box ${side}`}>
          <Side />
        </aside>
      )}
      <div className="shell-main">
        <Toolbar narrow={narrow} title={title} onMenu={() => setOpen(true)} onTheme={() => setTheming(true)} />
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <BackToTop />
      <ThemeDrawer open={theming} onClose={() => setTheming(false)} />
    </div>
  )
}
