import type { Input } from '@tallyroom/contract'

/** Bank settings of a top account: each member may have one bank account. */
export const bankRules: Input<'bank_setting/save'> = {
  is_third: 1,
  has_bank_card_setting: 0,
  bank_card_amount: 1,
  enable_bsb_code: 0,
  bsb_code_alias: '',
  account_name_modify: 0,
  cj7: 0,
}
