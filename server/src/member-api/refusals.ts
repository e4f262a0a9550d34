import { type ErrorName, errors } from '@tallyroom/contract'
import { type ApiName, type MemberApi, memberApi } from '@tallyroom/contract/member-api'
import { apiWords } from './words.ts'

/** The HTTP status of refusals. All others have status 200. */
export const statusOf: Partial<Record<ErrorName, number>> = {
  'api.not_signed': 401,
  'api.too_old': 401,
  'api.replayed': 401,
  'api.key_expired': 401,
  'api.wrong_address': 403,
  'api.not_allowed': 403,
  'request.unknown_call': 404,
  'api.wrong_method': 405,
  'request.too_large': 413,
  'api.not_json': 415,
  'request.too_often': 429,
  'api.over_rate': 429,
  'server.failed': 500,
  'server.starting': 503,
  'server.unsure': 504,
}
/** Only for a method or an address that no call has. */
const outsideOfCalls: readonly number[] = [404, 405]

/** The refusals of every call with a status of their own, by that status. */
export const failures: Record<number, ErrorName[]> = {}
for (const [name, status] of Object.entries(statusOf) as [ErrorName, number][])
  if (!outsideOfCalls.includes(status)) (failures[status] ??= []).push(name)

/** These and a call's own refusals have status 200. */
const refusalsOf = {
  any: ['request.bad_envelope', 'request.invalid'],
  withRequestId: ['request.id_reused', 'request.too_old'],
  write: ['server.full'],
  read: ['request.too_slow'],
} as const

export const refusalsWith200 = (name: ApiName): readonly ErrorName[] => {
  const { effect, request, refuses }: MemberApi[ApiName] = memberApi[name]
  return [
    ...refusalsOf.any,
    ...('request_id' in request.shape ? refusalsOf.withRequestId : []),
    // Bets and wins go to the ledger, and read nothing that grows.
    ...('bet_id' in request.shape || 'rows' in request.shape ? [] : refusalsOf[effect]),
    ...refuses,
  ]
}

/** All refusals that the document lists for a call. */
export const documentedRefusals = (name: ApiName): readonly ErrorName[] => [
  ...refusalsWith200(name),
  ...Object.values(failures).flat(),
]

/** Refusals as a table for the page of the document. */
export const refusalRows = (names: readonly ErrorName[]) =>
  names.map((name) => ({ status: statusOf[name] ?? 200, code: errors[name], name, message: apiWords('en', name) }))

export const commonRefusals = refusalRows([
  ...Object.values(refusalsOf).flat(),
  ...(Object.keys(statusOf) as ErrorName[]),
])

/** The data of refusals that say more than their name, by its name in the document (openapi.ts). */
export const dataOf: Partial<Record<ErrorName, string>> = {
  'account.username_taken': 'TakenName',
  'account.below_credit': 'CreditInUse',
  'tree.too_large': 'Most',
  'bank.too_many': 'Most',
  'tree.in_flight': 'InFlight',
  'room.held': 'OwnedByColleague',
}
