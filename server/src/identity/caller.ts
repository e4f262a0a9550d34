import type { Language } from '@tallyroom/locales'
import type { Network } from '../lib/address.ts'
import { refuse } from '../lib/refusal.ts'

/** Where a call comes from, for sessions, throttles and the audit log. */
export type Caller = {
  /** The address for records. Limits count by `network`. */
  address: string
  network: Network
  userAgent: string
  language: Language
  secure: boolean
  wantsBound: boolean
  cookies?: string | undefined
  /** The origin of the page that makes the call; absent outside of browsers. */
  origin?: string | undefined
  /** The id of the call in its answer and in the log. */
  callId: string
  /** The header of that name, by which a proxy continues its trace. */
  traceparent?: string | undefined
  /** Whether the client has closed its connection: nobody gets the answer. Absent: it waits. */
  hasLeft?: (() => boolean) | undefined
}

/**
 * Ends a call that has waited in a queue and done nothing, if its client has left meanwhile: it can ask again.
 * @throws Refused with server.busy, which nobody receives
 */
export const dropIfLeft = ({ hasLeft }: Pick<Caller, 'hasLeft'>): void => {
  if (hasLeft?.()) refuse('server.busy')
}

/** Cookies that an answer sets. */
export type Reply = { setCookie(name: string, value: string, maxAge: number): void }
