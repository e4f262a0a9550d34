import { type ThemeConfig, theme } from 'antd'
import type { ThemeSettings, ColourScheme } from './theme.ts'

/** The current value of a token of tokens.css. */
const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()

/** The accent itself is too dark on dark ground. */
const focused = () => ({ activeBorderColor: token('focus') })

/**
 * antd's theme from tokens.css. antd's rules are a static sheet (see the plugin in vite.config.ts) that reads
 * variables; this sets the variables. `hashed: false` in both, or the class names would not match.
 */
export const antdTheme = (scheme: ColourScheme, _accent: ThemeSettings['accent']): ThemeConfig => ({
  zeroRuntime: true,
  hashed: false,
  cssVar: { key: 'tallyroom' },
  algorithm: scheme === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
  token: {
    colorPrimary: token('accent'),
    colorPrimaryHover: token('accent-hover'),
    colorPrimaryActive: token('accent-hover'),
    // What it outlines a focused control with: its own tint of the accent has 1.9:1 on white.
    colorPrimaryBorder: token('focus'),
    colorLink: token('accent-ink'),
    colorLinkHover: token('accent-ink'),
    colorLinkActive: token('accent-ink'),
    colorError: token('refused'),
    colorSuccess: token('in'),
    colorWarning: token('out'),
    colorBgLayout: token('ground'),
    colorBgContainer: token('surface'),
    colorBgElevated: token('surface'),
    colorBorder: token('line-strong'),
    colorBorderSecondary: token('line'),
    colorSplit: token('line'),
    colorText: token('text'),
    colorTextSecondary: token('text-2'),
    colorTextTertiary: token('text-2'),
    colorTextDescription: token('text-2'),
    colorTextPlaceholder: token('text-off'),
    colorIcon: token('text-2'),
    colorTextDisabled: token('text-off'),
    // A switch that is off: the library's own tint of the text has 1.8:1 on white.
    colorTextQuaternary: token('line-strong'),
    colorBgMask: token('shade'),
    controlItemBgActive: token('accent-soft'),
    controlItemBgHover: token('hover'),
    boxShadow: token('shadow'),
    boxShadowSecondary: token('shadow'),
    borderRadius: 6,
    borderRadiusLG: 10,
    controlHeight: Number.parseInt(token('control'), 10),
    fontFamily: 'var(--font)',
    fontSize: 14,
    lineHeight: 1.5,
    // Reduced motion has no animations, and the library would wait for their end before it removes a drawer.
    motion: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    motionDurationFast: token('quick'),
    motionDurationMid: token('quick'),
    motionDurationSlow: token('quick'),
    zIndexPopupBase: 1000,
  },
  components: {
    Button: {
      primaryShadow: 'none',
      defaultShadow: 'none',
      dangerShadow: 'none',
      dangerColor: token('on-refused'),
      // Without these the text has the accent itself, which cannot be read on dark ground.
      defaultHoverColor: token('accent-ink'),
      defaultHoverBorderColor: token('accent-ink'),
      defaultActiveColor: token('accent-ink'),
      defaultActiveBorderColor: token('accent-ink'),
    },
    DatePicker: { cellWidth: 36, cellHeight: 28, ...focused() },
    Input: focused(),
    InputNumber: focused(),
    Select: { optionSelectedBg: token('accent-soft'), ...focused() },
  },
})
