import type { Actor } from '../identity/actor.ts'
import { type Db, one, sql } from '../data/sql.ts'

/** The top account's settings for the bank accounts of its members. */
export type BankSettings = {
  is_third: 0 | 1
  has_bank_card_setting: 0 | 1
  bank_card_amount: number
  enable_bsb_code: 0 | 1
  bsb_code_alias: string
  account_name_modify: 0 | 1
  cj7: 0 | 1
}

const none: BankSettings = {
  is_third: 0,
  has_bank_card_setting: 0,
  bank_card_amount: 1,
  enable_bsb_code: 0,
  bsb_code_alias: '',
  account_name_modify: 0,
  cj7: 0,
}

export const bankSettings = async (db: Db, { topId }: Pick<Actor, 'topId'>): Promise<BankSettings> =>
  (await one<BankSettings>(
    db,
    sql`select is_third, has_bank_card_setting, bank_card_amount, enable_bsb_code, bsb_code_alias, account_name_modify, cj7
      from bank_settings where top_id = ${topId}`,
  )) ?? none

const BETWEEN = '__'

/** Masks all but the last four characters of the number. The BSB code names a branch, not a person, and stays. */
export const maskedNumber = (accountNo: string): string => {
  const at = accountNo.indexOf(BETWEEN)
  const [code, number] = at < 0 ? ['', accountNo] : [accountNo.slice(0, at + 2), accountNo.slice(at + 2)]
  const shown = number.length > 6 ? 4 : 1
  return `${code}${'*'.repeat(Math.min(8, Math.max(3, number.length - shown)))}${number.slice(-shown)}`
}

const NUMBER = /^[0-9A-Za-z](?:[0-9A-Za-z ./-]{0,48}[0-9A-Za-z])?$/
const CODE = /^\d{1,50}$/

/** A number with its code is digits, two underscores, the number; without it no underscores: one reading only. */
export const isNumber = (accountNo: string, withCode: boolean): boolean => {
  if (!withCode) return NUMBER.test(accountNo)
  const [code = '', number = '', ...more] = accountNo.split(BETWEEN)
  return more.length === 0 && CODE.test(code) && NUMBER.test(number)
}
