import type { Answer, Input } from '@tallyroom/contract'
import { wholeNumber } from '../../ui/form/whole-number.ts'

export type Setting = Answer<'setting/view'>
type Wait = 'late_after' | 'overdue_after'
/** As it is typed: the minutes are texts. */
export type SettingDraft = Omit<Setting, 'inherited' | 'is_top' | Wait> & Record<Wait, string>

export const emptyDraft: SettingDraft = {
  name: '',
  background_image: '',
  background_color: '',
  header_background_color: '',
  header_font_color: '',
  late_after: '2',
  overdue_after: '5',
  cash_requests: 0,
  odd_cents: 0,
  owned_by_answer: 1,
  api_url: '',
}

export const isColour = (text: string) => /^(#[0-9a-f]{6})?$/i.test(text.trim())

export const draftOf = ({ inherited: _i, is_top: _t, late_after, overdue_after, ...draft }: Setting): SettingDraft => ({
  ...draft,
  late_after: String(late_after),
  overdue_after: String(overdue_after),
})

/** The minutes of a day that a text is; NaN for none. */
export const minutesIn = (typed: string): number => {
  const minutes = wholeNumber(typed)
  return minutes >= 1 && minutes <= 1440 ? minutes : Number.NaN
}

/** SET-02: an unchanged image (an address) is left out, a removed one is sent as '', a new one as a data URL. */
export const toSave = (draft: SettingDraft, isTop: boolean): Input<'setting/save'> => {
  const { background_image, api_url, ...others } = draft
  const isAddress = /^(https?:|\/media\/)/.test(background_image)
  return {
    ...others,
    late_after: minutesIn(draft.late_after),
    overdue_after: minutesIn(draft.overdue_after),
    background_color: draft.background_color.trim(),
    header_background_color: draft.header_background_color.trim(),
    header_font_color: draft.header_font_color.trim(),
    ...(isAddress ? {} : { background_image }),
    ...(isTop ? { api_url: api_url.trim() } : {}),
  }
}
