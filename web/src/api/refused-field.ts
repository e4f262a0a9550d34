import type { ErrorName } from '@tallyroom/contract'
import { CallError, refusedBy } from './call.ts'

/** The field of a form that a refusal is about, by the name that the call's input has for it. */
const fields: Partial<Record<ErrorName, string>> = {
  'account.username_taken': 'username',
  'api.network_invalid': 'addresses',
  'code.wrong': 'code',
  'session.needs_password': 'current_password',
  'session.wrong_password': 'current_password',
  'share.domain_invalid': 'domain',
}

/** The field that a refusal is about; undefined if it is about no single one. */
export const refusedField = (error: unknown): string | undefined => {
  if (!(error instanceof CallError) || !error.refusal) return undefined
  // Invalid input has one name, and the server says which field.
  const { field } = error.data
  return fields[error.refusal] ?? (typeof field === 'string' ? field : undefined)
}

/** Asking for the own password is no error: the field that appears says why. */
export const isQuestion = (error: unknown) => refusedBy('user/edit', error, 'session.needs_password')
