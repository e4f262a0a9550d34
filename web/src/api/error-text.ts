import { t } from '../i18n/i18n.ts'
import { CallError } from './call.ts'

/** What to tell the user: the server's own words, or those for an error in our code. */
export const errorText = (error: unknown): string =>
  error instanceof CallError ? error.message : t('error.unforeseen')
