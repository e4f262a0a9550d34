import type { Answer, Input } from '@tallyroom/contract'

export type Setting = Answer<'setting/view'>
export type SettingDraft = Omit<Setting, 'inherited' | 'is_top'>

export const emptyDraft: SettingDraft = {
  name: '',
  background_image: '',
  background_color: '',
  header_background_color: '',
  header_font_color: '',
  api_url: '',
}

export const isColour = (text: string) => /^(#[0-9a-f]{6})?$/i.test(text.trim())

/** SET-02: an image that is an address already is left out, an empty one is sent as empty, a new one as what it is. */
export const toSave = (draft: SettingDraft, isTop: boolean): Input<'setting/save'> => {
  const { background_image, api_url, ...texts } = draft
  const isAddress = /^(https?:|\/media\/)/.test(background_image)
  return { ...texts, ...(isAddress ? {} : { background_image }), ...(isTop ? { api_url: api_url.trim() } : {}) }
}
