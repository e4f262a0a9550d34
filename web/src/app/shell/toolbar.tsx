import { Link } from '@tanstack/react-router'
import { Icon } from '../../ui/icon.tsx'
import { CONTROL } from '../../ui/keyboard/key-names.ts'
import { LanguageSelect } from '../../ui/form/language-select.tsx'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { openPalette } from '../../ui/palette-state.ts'
import { copyShareLink } from '../../domain/share-link.ts'
import { BellButton } from '../../chat/view/bell-button.tsx'
import { UserMenu } from './user-menu.tsx'

type Props = {
  narrow: boolean
  /** Undefined where the tabs below have the menu. */
  onMenu: (() => void) | undefined
  onTheme: () => void
  /** The pointer or focus is on the theme button: preload the drawer. */
  onThemeNear: () => void
}

/** SHELL-02. On a small screen it shows language and avatar; the rest is in the user menu. */
export const Toolbar = ({ narrow, onMenu, onTheme, onThemeNear }: Props) => {
  const { t } = useWords()
  const { data: own } = useCall('user/view', {}, { meta: { optional: true } })
  return (
    <header className="toolbar">
      {narrow && onMenu && (
        <button type="button" className="icon-button" aria-label={t('shell.menu')} onClick={onMenu}>
          <Icon name="menu" size={22} />
        </button>
      )}
      <button
        type="button"
        className="jump"
        // What is shown, then what it does: the words of what it does are too long for the toolbar in most languages.
        aria-label={`${t('action.search')}: ${t('palette.title')}`}
        aria-keyshortcuts="Control+K"
        aria-haspopup="dialog"
        onClick={openPalette}
      >
        <Icon name="search" size={16} />
        <span>{t('action.search')}</span>
        {
          // Drawn by CSS: as text it would have to be in the name too.
          !narrow && <kbd data-keys={`${CONTROL} K`} />
        }
      </button>
      {own?.is_sandbox && <span className="chip">{t('shell.sandbox')}</span>}
      <span className="toolbar-space" />
      {!narrow && own && (
        <div className="share">
          <span className="share-label">{t('shell.share_code')}</span>
          <code>{own.share_code}</code>
          <button
            type="button"
            className="icon-button"
            aria-label={t('shell.copy_link')}
            data-tip={t('shell.copy_link')}
            onClick={() => void copyShareLink(own)}
          >
            <Icon name="copy" />
          </button>
          {own.customized_has_qrcode_show === 1 && (
            <Link to="/shareQRCode" className="icon-button" aria-label={t('share.title')} data-tip={t('share.title')}>
              <Icon name="qr" />
            </Link>
          )}
        </div>
      )}
      <LanguageSelect />
      {!narrow && (
        <button
          type="button"
          className="icon-button"
          aria-label={t('theme.title')}
          data-tip={t('theme.title')}
          onClick={onTheme}
          onPointerEnter={onThemeNear}
          onFocus={onThemeNear}
        >
          <Icon name="palette" />
        </button>
      )}
      <BellButton className="icon-button" />
      <UserMenu own={own} narrow={narrow} onTheme={onTheme} />
    </header>
  )
}
