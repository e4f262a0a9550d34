import type { CallName, Input } from '@tallyroom/contract'
import type { factorCalls } from '@tallyroom/contract/calls/sign-in/factor'
import type { passkeyCalls } from '@tallyroom/contract/calls/sign-in/passkey'
import type { recoveryCalls } from '@tallyroom/contract/calls/sign-in/recovery'
import type { sessionCalls } from '@tallyroom/contract/calls/sign-in/session'
import { admins, everyone, type Judge, members, office, operators, type Row } from './row.ts'
import { sees } from './matrix-tree.ts'

const self: Judge = (who, whom) => (who === whom ? 'ok' : 'absent')
const seenButNotSelf: Judge = (who, whom) => (who === whom ? 'denied' : sees(who, whom) ? 'ok' : 'absent')

type SignInCall = CallName &
  keyof (typeof sessionCalls & typeof factorCalls & typeof passkeyCalls & typeof recoveryCalls)

/** Signing in, sessions and second factors (AUTH, GUARD, PASS). */
export const signInRows: { [Name in SignInCall]: Row<Input<Name>> } = {
  login: 'anyone',
  sendValidateCode: 'anyone',
  checkValidateCode: 'anyone',
  googleAuth: 'anyone',
  'member/signup': 'anyone',
  'member/invitation': 'anyone',
  logout: { who: everyone, ask: null },
  'session/list': { who: everyone, ask: {} },
  'session/end': { who: everyone, ask: null },
  'session/endOthers': { who: everyone, ask: null },
  'security/list': { who: everyone, ask: {} },
  'session/listOf': { who: operators, whom: seenButNotSelf, ask: (id) => ({ id }) },
  'session/endOf': { who: operators, whom: seenButNotSelf, ask: (id, { session }) => ({ id, session_id: session }) },
  'factor/view': { who: office, ask: {} },
  'factor/begin': { who: office, ask: null },
  'factor/confirm': { who: office, ask: null },
  'factor/sendCode': { who: office, ask: null },
  'factor/remove': { who: office, ask: null },
  'factor/recoveryCodes': { who: office, ask: null },
  'factor/sendPhoneCode': { who: office, ask: null },
  'factor/setPhone': { who: office, ask: null },
  'factor/removePhone': { who: office, ask: null },
  'factor/required': { who: admins, ask: {} },
  'factor/require': { who: admins, ask: { roles: [] } },
  'passkey/begin': 'anyone',
  'passkey/beginStep': 'anyone',
  'passkey/finishStep': 'anyone',
  'recovery/begin': 'anyone',
  'recovery/finish': 'anyone',
  'recovery/beginPasskey': 'anyone',
  'recovery/finishPasskey': 'anyone',
  'recovery/view': { who: members, ask: {} },
  'recovery/sendCode': { who: members, ask: null },
  'recovery/setPhone': { who: members, ask: null },
  'recovery/removePhone': { who: members, ask: null },
  'passkey/list': { who: everyone, ask: {} },
  'passkey/beginAdd': { who: everyone, ask: null },
  'passkey/add': { who: everyone, ask: null },
  'passkey/rename': { who: everyone, whom: self, ask: (_, { passkey_id }) => ({ id: passkey_id, name: 'Phone' }) },
  'passkey/remove': { who: everyone, whom: self, ask: (_, { passkey_id }) => ({ id: passkey_id, password: 'x' }) },
  'passkey/beginPoints': { who: office, ask: null },
  'passkey/beginProof': { who: office, ask: null },
  'passkey/prove': { who: office, ask: null },
  'userMenu/list': { who: office, ask: {} },
  'userMenu/auth': { who: office, ask: { url: '/index' } },
}
