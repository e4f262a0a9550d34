import type { ReactNode } from 'react'
import { accents, saveTheme, sides, themes } from '../../theme/theme.ts'
import { useColourScheme, useThemeSettings } from '../../theme/use-theme.ts'
import { useWords } from '../../i18n/i18n.ts'
import { useCloseOnBack } from '../../ui/overlay/close-on-back.ts'
import { Drawer } from '../../ui/overlay/drawer.tsx'
import './theme.css'

/** SHELL-05: accent, theme and sidebar, applied at once and stored in this browser. */
export const ThemeDrawer = ({ onClose }: { onClose: () => void }) => {
  const { t } = useWords()
  useCloseOnBack(true, onClose)
  const settings = useThemeSettings()
  const scheme = useColourScheme()
  return (
    <Drawer placement="right" onClose={onClose} title={t('theme.title')}>
      <fieldset className="theme-part">
        <legend>{t('theme.colour')}</legend>
        <div className="theme-colours">
          {accents.map((accent) => (
            <Choice
              key={accent}
              name="accent"
              checked={settings.accent === accent}
              onChoose={() => saveTheme({ accent })}
              className="theme-colour"
            >
              <span className={`theme-dot theme-dot-${accent}`} aria-hidden="true" />
              <span>{t(`theme.${accent}`)}</span>
            </Choice>
          ))}
        </div>
      </fieldset>
      <fieldset className="theme-part">
        <legend>{t('theme.look')}</legend>
        {themes.map((theme) => (
          <Choice key={theme} name="theme" checked={settings.theme === theme} onChoose={() => saveTheme({ theme })}>
            {t(`theme.as_${theme}`)}
          </Choice>
        ))}
      </fieldset>
      <fieldset className="theme-part" disabled={scheme === 'dark'}>
        <legend>{t('theme.side')}</legend>
        {sides.map((side) => (
          <Choice
            key={side}
            name="side"
            checked={scheme === 'dark' ? side === 'dark' : settings.side === side}
            onChoose={() => saveTheme({ side })}
          >
            {t(`theme.as_${side}`)}
          </Choice>
        ))}
        {scheme === 'dark' && <p className="field-hint">{t('theme.side_hint')}</p>}
      </fieldset>
    </Drawer>
  )
}

type ChoiceProps = { name: string; checked: boolean; onChoose: () => void; className?: string; children: ReactNode }
const Choice = ({ name, checked, onChoose, className = '', children }: ChoiceProps) => (
  <label className={`theme-choice ${className}`}>
    <input type="radio" name={name} checked={checked} onChange={onChoose} />
    {children}
  </label>
)
