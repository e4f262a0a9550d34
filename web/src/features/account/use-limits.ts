import type { Answer } from '@tallyroom/contract'
import { type LimitPart, limitParts } from '@tallyroom/contract/limits'
import { amountIn, readAmount, shortAmount } from '@tallyroom/contract/text/typed-amount'
import { useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { amountToSend } from '../../ui/form/amount-text.ts'

export type Limit = Answer<'limit/view'>['limits'][number]
type Typed = Partial<Record<`${number}/${LimitPart}`, string>>

const isAmount = (text: string) => amountIn(text) !== undefined
const asTyped = (amount: string | null) => (amount === null ? '' : shortAmount(amount))

/** The limits of an account below, with what is changed and not saved. Loaded when `enabled`. */
export const useLimits = (id: number, enabled: boolean) => {
  const { data, error } = useCall('limit/view', { id }, { enabled, meta: { optional: true } })
  const send = useSend('limit/save', { refreshes: ['limit/view', 'userMenu/list'] })
  const [typed, setTyped] = useState<Typed>({})
  const [isChecked, setChecked] = useState(false)
  const valueOf = (limit: Limit, part: LimitPart) => typed[`${limit.type}/${part}`] ?? asTyped(limit[part])
  const mostOf = (limit: Limit, part: LimitPart) => {
    const text = valueOf(limit, part)
    return text === '' ? null : (amountToSend(text) ?? '0')
  }
  const changed = (data?.limits ?? []).filter((limit) =>
    limitParts.some((part) => valueOf(limit, part) !== asTyped(limit[part])),
  )
  return {
    data,
    loadError: error,
    hasChanges: changed.length > 0,
    valueOf,
    /** Whether it is set, by this account or one above, or begun. */
    isShown: (limit: Limit, part: LimitPart) =>
      limit[part] !== null || limit.above[part] !== null || typed[`${limit.type}/${part}`] !== undefined,
    /** Whether all that is typed can be saved. A field that holds no amount says why. */
    check: (): boolean => {
      setChecked(true)
      return Object.values(typed).every((text) => !text || isAmount(text))
    },
    /** What the field does not say by itself: a point alone is no amount yet. */
    isUnfinished: (limit: Limit, part: LimitPart) => {
      const text = valueOf(limit, part)
      return isChecked && text !== '' && readAmount(text).problem === undefined && !isAmount(text)
    },
    put: (limit: Limit, part: LimitPart, text: string) =>
      setTyped((before) => ({ ...before, [`${limit.type}/${part}`]: text })),
    /** Saves what has changed, if anything has. @returns whether it needs approval first */
    save: async (): Promise<boolean> => {
      if (changed.length === 0) return false
      const limits = changed.map((limit) => ({
        type: limit.type,
        transfer: mostOf(limit, 'transfer'),
        hour: mostOf(limit, 'hour'),
        day: mostOf(limit, 'day'),
        member: mostOf(limit, 'member'),
      }))
      const answer = await send.mutateAsync({ id, limits })
      return answer?.approval === 1
    },
  }
}
