import type { Answer } from '@tallyroom/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf, useCall, useSend } from '../../api/use-call.ts'

export type ExplainedRight = Answer<'right/view'>['rights'][number]
export type Hours = ExplainedRight['hours']
/** What is chosen for a right and not saved yet. */
export type Choice = { given: boolean; hours: Hours }

const storedChoice = ({ is_given, hours }: ExplainedRight): Choice => ({ given: is_given, hours })
const isSame = (one: Choice, other: Choice) =>
  one.given === other.given && one.hours?.from === other.hours?.from && one.hours?.until === other.hours?.until
const areWrong = (hours: Hours) =>
  hours !== null && (hours.from === '' || hours.until === '' || hours.from === hours.until)

/** The rights of an account, with what is chosen and not saved. Without an id those of the user. */
export const useRights = (id: number | undefined) => {
  const cache = useQueryClient()
  const input = id === undefined ? {} : { id }
  const view = useCall('right/view', input)
  const send = useSend('right/save')
  const [choices, setChoices] = useState<Record<string, Choice>>({})
  const choiceOf = (right: ExplainedRight) => choices[right.name] ?? storedChoice(right)
  const changed = (view.data?.rights ?? []).filter((right) => !isSame(choiceOf(right), storedChoice(right)))
  const isWrong = (right: ExplainedRight) => areWrong(choiceOf(right).hours)
  return {
    view,
    choiceOf,
    changed: changed.length,
    isWrong,
    isSaving: send.isPending,
    saveError: send.error,
    choose: (right: ExplainedRight, choice: Choice) => {
      send.reset()
      setChoices((before) => ({ ...before, [right.name]: choice }))
    },
    reset: () => {
      send.reset()
      setChoices({})
    },
    /** `waits`: what is given needs approval first. */
    save: (onSaved: (waits: boolean) => void) => {
      if (!view.data || send.isPending || changed.length === 0 || changed.some(isWrong)) return
      const rights = changed.map((right) => ({ name: right.name, ...choiceOf(right) }))
      send.mutate(
        { id: view.data.id, rights },
        {
          onSuccess: (now) => {
            cache.setQueryData(keyOf('right/view', input), now)
            setChoices({})
            onSaved(now.approval === 1)
          },
        },
      )
    },
  }
}
