import type { Answer, Input } from '@tallyroom/contract'

export type Setting = Answer<'setting/view'>
export type SettingDraft = Omit<Setting, 'inherited' | 'is_top'>

export const emptyDraft: SettingDraft = {
  name: '',
  background_image: '',
  background_color: '',
  header_background_color: '',
  header_font_color: '',
  late_after: 2,
  overdue_after: 5,
  cash_requests: 0,
  owned_by_answer: 1,
  api_url: '',
}

export const isColour = (text: string) => /^(#[0-9a-f]{6})?$/i.test(text.trim())

export const isMinutes = (value: number) => Number.isInteger(value) && value >= 1 && value <= 1440

/** SET-02: an unchanged image (an address) is left out, a removed one is sent as '', a new one as a data URL. */
export const toSave = (draft: SettingDraft, isTop: boolean): Input<'setting/save'> => {
  const { background_image, api_url, ...others } = draft
  const isAddress = /^(https?:|\/media\/)/.test(background_image)
  return {
    ...others,
    background_color: draft.background_color.trim(),
    header_background_color: draft.header_background_color.trim(),
    header_font_color: draft.header_font_color.trim(),
    ...(isAddress ? {} : { background_image }),
    ...(isTop ? { api_url: api_url.trim() } : {}),
  }
}
