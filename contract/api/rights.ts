/**
 * What a key of the member API may do. Each call names one of them (`right` in contract/member-api.ts). Webhooks are
 * signed with a key that has `webhooks`. No Zod here: the office imports it.
 */
export const apiRights = [
  'accounts:read',
  'accounts:write',
  'signin',
  'bets',
  'points:give',
  'points:take',
  'points:correct',
  'cash:read',
  'cash:ask',
  'cash:fulfil',
  'bank:write',
  'talk:read',
  'talk:write',
  'statements',
  'settlements',
  'settings',
  'webhooks',
  'endpoints',
  'sandbox',
] as const
export type ApiRight = (typeof apiRights)[number]
