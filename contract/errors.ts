/**
 * Every refusal by name, with its number on the wire. A name is also the key of its words in the locales.
 * Two names may share a number, but one call may not refuse with both: the browser reads a number
 * through the call that it made (7001 means one thing to a sign-in and another to a transfer).
 */
export const errors = {
  'request.bad_envelope': 1400,
  'request.unknown_call': 1404,
  'request.invalid': 1400,
  'request.id_reused': 1409,
  'request.too_large': 1413,
  'request.too_often': 1429,
  'server.failed': 1500,
  'server.starting': 1503,
  'server.busy': 1503,
  'session.dead': 9998,
  'session.wrong_login': 1403,
  'access.denied': 1403,
  'account.not_found': 1404,
  'account.username_taken': 1400,
  'account.passwords_differ': 1400,
  'account.image_invalid': 1400,
  'account.not_yourself': 1403,
  'signup.unknown_share_code': 1404,
  'transfer.needs_payment_password': 7001,
  'transfer.wrong_payment_password': 7004,
  'transfer.payment_locked': 1414,
  'transfer.amount_invalid': 1400,
  'transfer.not_enough': 1401,
  'transfer.member_not_enough': 1401,
  'transfer.over_credit': 1402,
  'transfer.event_mode': 1414,
  'transfer.frozen': 1414,
  'transfer.to_yourself': 1403,
  'transfer.one_open_at_a_time': 1414,
  'transfer.not_found': 1404,
  'envelope.not_found': 1404,
  'envelope.already_settled': 1410,
  'envelope.expired': 1411,
  'envelope.member_not_enough': 1401,
  'room.not_found': 1404,
  'room.in_ai_hands': 1414,
  'message.not_found': 1404,
  'message.type_not_allowed': 1403,
  'message.blank': 1400,
  'message.not_an_image': 1400,
  'report.range_invalid': 1400,
} as const

export type ErrorName = keyof typeof errors

/** The code of an answer that went well. */
export const OK = 1000
