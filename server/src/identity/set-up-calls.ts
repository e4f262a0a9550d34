import type { CallName } from '@tallyroom/contract'

/** PASS-03: what opens while a required second factor is not set up. */
const setUpCalls: ReadonlySet<CallName> = new Set<CallName>([
  'logout',
  'factor/view',
  'factor/begin',
  'factor/confirm',
  'factor/sendPhoneCode',
  'factor/setPhone',
  'passkey/list',
  'passkey/beginAdd',
  'passkey/add',
])
export const isSetUpCall = (call: CallName): boolean => setUpCalls.has(call)
