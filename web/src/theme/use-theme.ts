import { useSyncExternalStore } from 'react'
import { type ColourScheme, currentScheme, currentTheme, followTheme, type ThemeSettings } from './theme.ts'

export const useColourScheme = (): ColourScheme => useSyncExternalStore(followTheme, currentScheme)
export const useThemeSettings = (): ThemeSettings => useSyncExternalStore(followTheme, currentTheme)
