import { z } from 'zod'

export const Name = z.string().trim().min(1).max(64)
/** The platform's own id of an account. Compared exactly, including case. */
export const ThirdPartyId = z.string().trim().min(1).max(64)
/** Exactly one of the two. */
export const AccountName = {
  username: Name.optional().describe('The username. Give this or `third_party_id`, not both.'),
  third_party_id: ThirdPartyId.optional().describe('Your own id of the account. Compared exactly, including case.'),
}
/** In answers. */
export const thirdPartyId = z.string().nullable().describe('Your own id of the account, if you gave one.')
