import { ConfigProvider, type ConfigProviderProps } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { antdTheme } from '../theme/antd.ts'
import { useAntdLocale } from '../i18n/languages.ts'
import { useThemeSettings, useColourScheme } from '../theme/theme.ts'
import { useWords } from '../i18n/i18n.ts'
import { Icon } from './icon.tsx'

/** Our own icons: the library's have English labels in every language. */
const cross = { closeIcon: <Icon name="close" /> }
const icons: ConfigProviderProps = {
  // The library's own spinner waits for an animation that may never run, and keeps turning after the answer.
  button: { autoInsertSpace: false, loadingIcon: <span className="spinner" aria-hidden="true" /> },
  modal: cross,
  drawer: cross,
  inputPassword: { iconRender: (shown) => <Icon name={shown ? 'eye' : 'hidden'} /> },
  select: { suffixIcon: <Icon name="chevronDown" size={14} /> },
  datePicker: { suffixIcon: <Icon name="calendar" size={16} /> },
}

/** Wraps everything that uses the component library: theme, language and icons. */
export const Library = ({ children }: { children: ReactNode }) => {
  const { language } = useWords()
  const scheme = useColourScheme()
  const { accent } = useThemeSettings()
  const locale = useAntdLocale(language)
  const theme = useMemo(() => antdTheme(scheme, accent), [scheme, accent])
  return (
    <ConfigProvider theme={theme} wave={{ disabled: true }} {...icons} {...(locale ? { locale } : {})}>
      {children}
    </ConfigProvider>
  )
}
