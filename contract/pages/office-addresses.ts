/** Where a platform sends its agents with a sign-in token (AUTH-10). In lower case. */
export const agentLandings: ReadonlySet<string> = new Set(['agentlogin', 'autologin', 'auto-login'])
/** Where a platform sends its members with a sign-in token (AUTH-09). In lower case. */
export const MEMBER_LANDING = 'weblogin'

/**
 * The first part of each address of the back office, in lower case, because the router takes any; empty: `/`. At another
 * address the server answers 404, with the page that says so.
 */
export const officeAddresses: ReadonlySet<string> = new Set([
  ...agentLandings,
  MEMBER_LANDING,
  '',
  '403',
  '500',
  'agent',
  'approvals',
  'audit',
  'cash',
  'chat',
  'colleague',
  'customer_service',
  'customer_service_chat',
  'file',
  'forbidden',
  'index',
  'installation',
  'member',
  'messagetemplate',
  'person',
  'rd_debug',
  'report',
  'rights',
  'set-up',
  'setup',
  'shareqrcode',
  'transaction',
  'tree',
  'user',
])
