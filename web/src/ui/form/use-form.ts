import { type FormEvent, useEffect, useRef, useState } from 'react'
import { errorText } from '../../api/error-text.ts'
import { isQuestion, refusedField } from '../../api/refused-field.ts'
import { differs } from './differs.ts'

/** For a field: what is wrong with its value, if anything is. */
export type Rules<T> = { readonly [K in keyof T]?: (value: T[K], draft: T) => string | false | undefined }
/** The props of a field's component. */
export type FieldState<V> = { value: V; error: string | undefined; onChange: (value: V) => void }
/** The part of a form that its frame shows. */
export type FormState = { isSending: boolean; refused: string | undefined; hasChanges: boolean }

/**
 * What is typed into a form, what is wrong with it, and what became of sending it. What the last try has found wrong with a
 * field is shown there until the field changes: by the rules, or by a refusal that names the field. Any other refusal is
 * `refused`. What was typed stays in either case.
 */
export const useForm = <T extends object>(initial: T | (() => T), rules: Rules<NoInfer<T>> = {}) => {
  const [saved, setSaved] = useState(initial)
  const [draft, setDraft] = useState(saved)
  /** The fields that have not changed since the last try. */
  const [tried, setTried] = useState<ReadonlySet<keyof T>>(new Set())
  const [failure, setFailure] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const [wrongForm, setWrongForm] = useState<{ form?: HTMLFormElement | undefined }>()
  const isMounted = useIsMounted()
  // A long form may be scrolled away from what is wrong, and on a phone the keyboard opens.
  useEffect(() => wrongForm?.form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [wrongForm])

  const named = refusedField(failure)
  const refusedAt = named !== undefined && named in draft ? (named as keyof T) : undefined
  const wrongWith = (name: keyof T) => rules[name]?.(draft[name], draft) || undefined
  const errorOf = (name: keyof T) => {
    if (!tried.has(name)) return undefined
    return refusedAt === name && !isQuestion(failure) ? errorText(failure) : wrongWith(name)
  }
  const set = (changed: Partial<T>) => {
    setDraft((now) => ({ ...now, ...changed }))
    setTried((now) => new Set([...now].filter((name) => !(name in changed))))
  }
  const check = () => {
    setTried(new Set(Object.keys(draft) as (keyof T)[]))
    return (Object.keys(rules) as (keyof T)[]).every((name) => !wrongWith(name))
  }
  const send = async <A>(work: (draft: T) => Promise<A>, onDone?: (answer: A) => void, form?: HTMLFormElement) => {
    setFailure(undefined)
    if (!check()) return setWrongForm({ form })
    setSending(true)
    try {
      const answer = await work(draft)
      setTried(new Set())
      // A dialog that was closed meanwhile must not close the one that was opened since.
      if (isMounted.current) onDone?.(answer)
    } catch (error) {
      setFailure(error)
      if (refusedField(error)) setWrongForm({ form })
    }
    setSending(false)
  }
  return {
    draft,
    set,
    field: <K extends keyof T>(name: K): FieldState<T[K]> => ({
      value: draft[name],
      error: errorOf(name),
      onChange: (value) => {
        const changed: Partial<T> = {}
        changed[name] = value
        set(changed)
      },
    }),
    /** Shows what is wrong. @returns whether nothing is */
    check,
    /** A form's `onSubmit`, which sends the draft if nothing is wrong with it. */
    submit:
      <A>(work: (draft: T) => Promise<A>, onDone?: (answer: A) => void) =>
      (event?: FormEvent<HTMLFormElement>) => {
        event?.preventDefault()
        if (!isSending) void send(work, onDone, event?.currentTarget)
      },
    isSending,
    refused: failure !== undefined && refusedAt === undefined ? errorText(failure) : undefined,
    /** Whether the draft's `current_password` is asked for. */
    needsPassword:
      refusedAt === 'current_password' || Boolean((draft as { current_password?: string }).current_password),
    hasChanges: differs(draft, saved),
    /** These values are saved now: only others are changes. */
    keep: setSaved,
    /** Starts again, with what was saved by default. */
    reset: (to: T = saved) => {
      setDraft(to)
      setTried(new Set())
      setFailure(undefined)
    },
  }
}

const useIsMounted = () => {
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}
