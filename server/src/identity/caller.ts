import type { Language } from '@tallyroom/locales'

/** Where a call comes from, for sessions, throttles and the audit log. */
export type Caller = {
  address: string
  userAgent: string
  language: Language
  secure: boolean
  wantsBound: boolean
  cookies?: string | undefined
}

/** Cookies that an answer sets. */
export type Reply = { setCookie(name: string, value: string, maxAge: number): void }
