/**
 * What the browser asks about before it shows a button or a part of a page. `userMenu/list` says which of these the
 * caller has; who has them is decided in server/src/identity/policy.ts. No Zod here: the browser imports this file.
 */

/** Calls that not everyone who has the page may make. */
export const askedCalls = [
  'user/export',
  'user/abilities',
  'session/listOf',
  'share/saveDomain',
  'ai/view',
  'message/original',
  'cash/export',
  'transaction/export',
  'transaction/correct',
  'statement/export',
  'report/workExport',
  'statement/seal',
  'period/list',
  'bank_setting/view',
  'receiving/list',
  'user/addMember',
  'change/rules',
] as const

/** Parts of pages that have no call of their own. */
export const askedParts = [
  /** The balances and the withdraw confirmation in the list of users. */
  'user.points',
  /** The views that a whole group has. */
  'view.share',
  /** Quick replies in conversations. */
  'chat.quick_replies',
  /** Handing over and releasing conversations of colleagues. */
  'chat.give_any',
  /** A statement of the own wallet. */
  'statement.own',
  /** The address of the member API. */
  'setting.api_url',
] as const

export const askedRights = [...askedCalls, ...askedParts] as const
export type AskedPart = (typeof askedParts)[number]
export type AskedRight = (typeof askedRights)[number]
