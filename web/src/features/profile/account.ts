import type { Answer } from '@tallyroom/contract'

/** The account that a page is about. */
export type Account = Answer<'account/view'>
