import { ConfigProvider } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { antdTheme } from '../theme/antd.ts'
import { useAntdLocale } from '../theme/languages.ts'
import { useChosen, useLook } from '../theme/look.ts'
import { useWords } from '../words.ts'
import { Icon } from './icon.tsx'

/** Around whatever the component library draws: its colours, words and drawings. */
export const Library = ({ children }: { children: ReactNode }) => {
  const { language } = useWords()
  const look = useLook()
  const { accent } = useChosen()
  const locale = useAntdLocale(language)
  const theme = useMemo(() => antdTheme(look, accent), [look, accent])
  return (
    <ConfigProvider
      theme={theme}
      button={{ autoInsertSpace: false }}
      wave={{ disabled: true }}
      // The library's own drawings are called by their English names.
      select={{ suffixIcon: <Icon name="chevronDown" size={14} /> }}
      datePicker={{ suffixIcon: <Icon name="calendar" size={16} /> }}
      {...(locale ? { locale } : {})}
    >
      {children}
    </ConfigProvider>
  )
}
