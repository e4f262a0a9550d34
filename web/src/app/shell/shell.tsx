import { Outlet, useMatches } from '@tanstack/react-router'
import { Suspense, useCallback, useDeferredValue, useEffect, useState } from 'react'
import { useThemeSettings } from '../../theme/use-theme.ts'
import { openMenu } from '../../ui/menu-state.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { whenKeysAsked } from '../../ui/keyboard/keys-asked.ts'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { useWords } from '../../i18n/i18n.ts'
import { BackToTop } from './back-to-top.tsx'
import { ActsElement, ViewsElement } from '../../ui/page/page-acts.tsx'
import { PageLoading } from '../../ui/page/page-loading.tsx'
import { useTitle } from '../../ui/page/title.ts'
import { SMALL } from '../../chat/view/breakpoints.ts'
import { TabBar } from '../../chat/view/tabs.tsx'
import { NARROW } from './menu-host.tsx'
import { PageHead } from './page-head.tsx'
import { Side } from './side.tsx'
import { Toolbar } from './toolbar.tsx'

const KeysDialog = lazyPart(async () => (await import('../../ui/overlay/keys-dialog.tsx')).KeysDialog)
const ThemeDrawer = lazyPart(async () => (await import('./theme-drawer.tsx')).ThemeDrawer)

const useDrawer = () => {
  const [isOpen, setOpen] = useState(false)
  const open = useCallback(() => setOpen(true), [])
  const close = useCallback(() => setOpen(false), [])
  return { isOpen, open, close }
}

let wasRendered = false

/**
 * The frame of every page except the chat. The router renders its content in one piece, which blocks keys and clicks. So
 * the first render has only the title, and what is deferred is rendered in slices.
 */
export const Shell = () => {
  const isFilled = useDeferredValue(true, wasRendered)
  useEffect(() => {
    wasRendered = true
  }, [])
  return <Frame isFilled={isFilled} />
}

const Frame = ({ isFilled }: { isFilled: boolean }) => {
  const { t } = useWords()
  const narrow = useMedia(NARROW)
  const small = useMedia(SMALL)
  const theme = useDrawer()
  const [actsElement, setActsElement] = useState<HTMLElement | null>(null)
  const [viewsElement, setViewsElement] = useState<HTMLElement | null>(null)
  const [hasKeys, setHasKeys] = useState(false)
  const { side } = useThemeSettings()
  const { listTitle: title, hasOwnHead = false } = useMatches().at(-1)?.staticData ?? {}
  useEffect(() => whenKeysAsked(() => setHasKeys(true)), [])
  useTitle(title ? t(title) : '')
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {t('shell.skip')}
      </a>
      {!narrow && <aside className={`side-box ${side}`}>{isFilled && <Side />}</aside>}
      <div className="shell-main">
        {isFilled ? (
          <Toolbar
            narrow={narrow}
            onMenu={small ? undefined : openMenu}
            onTheme={theme.open}
            onThemeNear={ThemeDrawer.preload}
          />
        ) : (
          <header className="toolbar" />
        )}
        <main id="main" tabIndex={-1}>
          {isFilled && <ZoneNote />}
          {title && !hasOwnHead && (
            <PageHead title={title} onViewsElement={setViewsElement} onActsElement={setActsElement} />
          )}
          <ActsElement value={actsElement}>
            <ViewsElement value={viewsElement}>{isFilled ? <Outlet /> : <PageLoading />}</ViewsElement>
          </ActsElement>
        </main>
      </div>
      {small && <TabBar />}
      <BackToTop />
      <Suspense>{theme.isOpen && <ThemeDrawer onClose={theme.close} />}</Suspense>
      <Suspense>{hasKeys && <KeysDialog onClose={() => setHasKeys(false)} />}</Suspense>
    </div>
  )
}
