import { isBlank } from '@tallyroom/contract/text/blank'
import type { Answer } from '@tallyroom/contract'
import type { RoomSummary } from '@tallyroom/contract/events'

/** The member whose accounts they are. */
export type BankOwner = Pick<RoomSummary, 'member_id' | 'name' | 'partner_username'>
export type Cards = Answer<'members/bank-card'>
type Card = Cards['data'][number]
/** The typed fields of one slot. For a saved account an empty number means "unchanged". */
export type BankDraft = { bank: string; name: string; code: string; number: string }
export type Slot = { card: Card | undefined; draft: BankDraft }
export type Field = keyof BankDraft

/** Name of the code when the settings give none. */
export const DEFAULT_CODE_NAME = 'BSB'
const SEPARATOR = '__'
const codeOf = (accountNo: string) => (accountNo.includes(SEPARATOR) ? (accountNo.split(SEPARATOR)[0] ?? '') : '')
export const numberOf = (accountNo: string) => accountNo.split(SEPARATOR).at(-1) ?? ''

export const draftOf = (card: Card | undefined): BankDraft => ({
  bank: card ? String(card.bank_id) : '',
  name: card?.account_name ?? '',
  code: codeOf(card?.account_no ?? ''),
  number: '',
})

export const isChanged = ({ card, draft }: Slot): boolean => {
  const before = draftOf(card)
  return (Object.keys(before) as Field[]).some((field) => draft[field].trim() !== before[field])
}

/** The fields without which a slot cannot be saved. */
export const missingFields = ({ card, draft }: Slot, named: boolean, coded: boolean): Field[] => {
  const renumbered = !card || draft.number.trim() !== '' || draft.code !== draftOf(card).code
  const needed: Field[] = ['bank']
  if (named) needed.push('name')
  if (renumbered) needed.push('number')
  if (renumbered && coded) needed.push('code')
  return needed.filter((field) => isBlank(draft[field]))
}

/** The stored form of an account number: the code, two underscores, the number. */
export const accountInput = ({ card, draft }: Slot, named: boolean, coded: boolean) => {
  const number = draft.number.trim()
  return {
    ...(card ? { id: card.id } : {}),
    bank_id: Number(draft.bank),
    ...(named ? { account_name: draft.name.trim() } : {}),
    ...(number ? { account_no: coded ? `${draft.code}${SEPARATOR}${number}` : number } : {}),
  }
}
