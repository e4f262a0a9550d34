import { z } from 'zod'

export const Name = z.string().trim().min(1).max(64)
/** The platform's own id of an account. Compared exactly, including case. */
export const ThirdPartyId = z.string().trim().min(1).max(64)
/** The two names of an account. A request says with `oneName` or `noTwoNames` how many of them it takes. */
export const AccountName = {
  username: Name.optional().describe('The username. Give this or `third_party_id`, not both.'),
  third_party_id: ThirdPartyId.optional().describe('Your own id of the account. Compared exactly, including case.'),
}
/** The document says it with these; `named-account.ts` checks it. */
export const oneName = { oneOf: [{ required: ['username'] }, { required: ['third_party_id'] }] }
export const noTwoNames = (name: string) => ({
  not: { required: [name, 'third_party_id'], properties: { [name]: {}, third_party_id: {} } },
})
/** In answers. */
export const thirdPartyId = z.string().nullable().describe('Your own id of the account, if you gave one.')
