import type { Language } from '@tallyroom/locales'

/** Where a call comes from: for sessions, throttles and the log. */
export type Caller = {
  address: string
  userAgent: string
  language: Language
  secure: boolean
  wantsBound: boolean
  cookies?: string | undefined
}

/** Cookies and the like that an answer sets beside its body. */
export type Reply = { setCookie(name: string, value: string, maxAge: number): void }
