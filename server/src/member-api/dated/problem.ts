import { type ErrorName, errors } from '@tallyroom/contract'
import type { Caller } from '../../identity/caller.ts'
import { statusOf } from '../refusals.ts'
import { PREFIX } from '../samples.ts'
import { apiWords } from '../words.ts'

export const PROBLEM_TYPE = 'application/problem+json'

const byName: Partial<Record<ErrorName, number>> = {
  ...statusOf,
  'request.bad_envelope': 400,
  'request.invalid': 400,
  'request.too_old': 422,
  'account.username_taken': 409,
  'account.third_party_id_taken': 409,
}
/** The rest by the number that several refusals share. */
const byCode: Partial<Record<number, number>> = {
  1403: 403,
  1404: 404,
  1410: 409,
  1411: 409,
  1413: 413,
  1414: 409,
  1415: 409,
  1500: 500,
  1503: 503,
}
/** The call is right, and a rule is against it. */
const UNPROCESSABLE = 422

/** The HTTP status of a refusal in a dated form. */
export const problemStatus = (name: ErrorName): number => byName[name] ?? byCode[errors[name]] ?? UNPROCESSABLE

/** The address of a kind of problem, below the installation's. */
export const problemType = (name: ErrorName): string => `${PREFIX}/problems/${name}`
/** The same for each occurrence, as RFC 9457 wants it. */
export const problemTitle = (name: ErrorName): string => apiWords('en', name).replaceAll(/\{\w+\}/g, '…')

/** A refusal as problem details (RFC 9457), with its name, code and data as members of their own. */
export const problemOf = (
  name: ErrorName,
  data: Record<string, unknown>,
  { language, callId }: Pick<Caller, 'language' | 'callId'>,
) => ({
  type: problemType(name),
  title: problemTitle(name),
  status: problemStatus(name),
  detail: apiWords(language, name, data as Record<string, string>),
  instance: `${PREFIX}/calls/${callId}`,
  refusal: name,
  code: errors[name],
  ...data,
})
