import type { Language } from '@tallyroom/locales'

/** Where a call comes from, for sessions, throttles and the audit log. */
export type Caller = {
  address: string
  userAgent: string
  language: Language
  secure: boolean
  wantsBound: boolean
  cookies?: string | undefined
  /** Of the page that makes the call; absent outside of browsers. */
  origin?: string | undefined
  /** The id of the call in its answer and in the log. */
  callId: string
  /** The header of that name, by which a proxy continues its trace. */
  traceparent?: string | undefined
}

/** Cookies that an answer sets. */
export type Reply = { setCookie(name: string, value: string, maxAge: number): void }
