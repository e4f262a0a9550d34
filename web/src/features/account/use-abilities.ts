import type { Answer, Input as InputOf } from '@tallyroom/contract'
import type { AbilityFlag } from '@tallyroom/contract/ability-flags'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf, useCall, useSend } from '../../api/use-call.ts'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { readAmount, shortAmount } from '@tallyroom/contract/text/typed-amount'
import { problemText } from '../../ui/form/amount-problem.ts'
import { wholeNumber } from '../../ui/form/whole-number.ts'

export type Abilities = Answer<'user/abilities'>
type Saved = InputOf<'user/saveAbilities'>
/** Changes that are not saved yet. */
export type NewAbilities = Partial<Record<AbilityFlag, 0 | 1>> & {
  multiple?: string
  credit?: string
  unlimited?: boolean
}
export type Errors = { multiple?: string; credit?: string }

/** The abilities of an account below, with what is changed and not saved. Loaded when `enabled`. */
export const useAbilities = (id: number, enabled: boolean) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const { data, error } = useCall('user/abilities', { id }, { enabled, meta: { optional: true } })
  const send = useSend('user/saveAbilities', { refreshes: ['user/list', 'user/view'] })
  const [edits, setEdits] = useState<NewAbilities>({})
  const [errors, setErrors] = useState<Errors>({})
  const wanted = data ? editsToSave(data, edits) : {}
  return {
    data,
    loadError: error,
    hasChanges: hasAny(wanted),
    edits,
    errors,
    put: (edited: NewAbilities) => {
      setEdits((before) => ({ ...before, ...edited }))
      setErrors({})
    },
    /** Shows what cannot be saved; true when nothing is wrong. */
    check: (): boolean => {
      const found: Errors = {
        ...(edits.multiple === undefined || isMultiple(edits.multiple) ? {} : { multiple: t('ability.multiple_rule') }),
        ...creditError(t, edits),
      }
      setErrors(found)
      return !hasAny(found)
    },
    /** Saves what has changed, if anything has. @returns whether a part of it needs approval first */
    save: async (): Promise<boolean> => {
      if (!hasAny(wanted)) return false
      const now = await send.mutateAsync({ id, ...wanted })
      cache.setQueryData(keyOf('user/abilities', { id }), now)
      setEdits({})
      return now.approval === 1
    },
  }
}

const hasAny = (found: object) => Object.keys(found).length > 0
const isMultiple = (text: string) => wholeNumber(text) <= 1000
export const creditOf = ({ unlimited, limit_of_credit }: Abilities) => (unlimited ? '0' : shortAmount(limit_of_credit))

const amountOf = (typed: string) => {
  const read = readAmount(typed)
  return read.problem ? undefined : read.amount
}

const creditError = (t: Translate, { credit, unlimited }: NewAbilities): Errors => {
  if (credit === undefined || unlimited || amountOf(credit) !== undefined) return {}
  return { credit: problemText(t, readAmount(credit)) || t('field.needed') }
}

/** The changed values, as the call expects them. */
const editsToSave = (
  abilities: Abilities,
  { multiple, credit, unlimited, ...flags }: NewAbilities,
): Omit<Saved, 'id'> => {
  const changedFlags = Object.entries(flags).filter(([name, value]) => abilities[name as AbilityFlag] !== value)
  const isUnlimited = unlimited ?? abilities.unlimited
  const limit = credit === undefined ? undefined : (amountOf(credit) ?? '0')
  return {
    ...Object.fromEntries(changedFlags),
    ...(multiple === undefined || multiple === String(abilities.transfer_member_flow_limit_multiple)
      ? {}
      : { transfer_member_flow_limit_multiple: wholeNumber(multiple) }),
    ...(isUnlimited === abilities.unlimited ? {} : { unlimited: isUnlimited }),
    ...(isUnlimited || limit === undefined || credit === creditOf(abilities) ? {} : { limit_of_credit: limit }),
  }
}
