import type { CallName, Refusal } from '@tallyroom/contract'
import { type CallError, refusedBy } from './call.ts'

/** The calls that may want the user's own password. */
type AskingCall = { [N in CallName]: 'session.needs_password' extends Refusal<N> ? N : never }[CallName]

/** Whether a call wants the user's own password, and what to show of its error: asking for the password is none. */
export const passwordRefusal = <N extends AskingCall>(name: N, error: CallError | null | undefined) => {
  const asks: boolean = refusedBy(name, error, 'session.needs_password' as Refusal<N>)
  const needsPassword = asks || refusedBy(name, error, 'session.wrong_password' as Refusal<N>)
  return { needsPassword, shown: asks ? null : (error ?? null) }
}
