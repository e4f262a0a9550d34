import { z } from 'zod'
import { History, TransferRow } from '../calls/points/transfer.ts'
import { Name, noTwoNames, ThirdPartyId, thirdPartyId } from './account-name.ts'

/** A schema of the office with a text for each of its fields: one without a text does not compile. */
const described = <Shape extends Record<string, z.ZodType>>(
  { shape }: z.ZodObject<Shape>,
  texts: Record<keyof Shape, string>,
) =>
  z.object(
    Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, field.describe(texts[name] ?? '')])),
  ) as unknown as z.ZodObject<Shape>

export const kinds =
  '1: points to the member. 2: points from the member. 3: gift. 4: compensation. 5: points into the game wallet. ' +
  '6: points from the game wallet. 7: from the main to the game wallet. 8: bet. 9: win. 10: correction. 11: voided bet.'
const statuses = '0: failed. 1: success. 2: rejected. 3: expired. 4: pending.'
export const localTime = '`YYYY-MM-DD HH:mm:ss` in the `time_zone` of `platform/view`.'

export const TransferSearch = described(History.omit({ member_id: true }), {
  username: "A part of the member's username, or of the username of the account that moved the points.",
  start_time: `From this time on. ${localTime}`,
  end_time: `Up to this time, at most a year later; midnight is the end of the day before. ${localTime}`,
  types: `Only these kinds; empty: all. ${kinds}`,
  statuses: `Only these; empty: all. ${statuses}`,
  min_amount: 'At least this amount.',
  max_amount: 'At most this amount.',
  remark: 'What the remark contains, from the beginning of a word on.',
  id: 'One transfer, by its `transaction_id` or its number.',
  room: 'Only transfers that were made in this conversation, by the code in its address in the office.',
  page: 'The page, from 1 on. Prefer `before`.',
  per_page: 'Rows in an answer.',
  before: '`next` of the answer before. Unlike a page it neither repeats nor leaves out rows while transfers are made.',
  operator_id:
    'Only what the SR02 report counts for the account with this number, the `id` of `agent/add`. Both times are then ' +
    'those of settling.',
  cell: 'With `operator_id`: only what one figure of the report counts, by whom, for whom and in which direction.',
})
  .extend({
    member: Name.optional().describe('Only the transfers of this account: its whole username.'),
    third_party_id: ThirdPartyId.optional().describe('The same, by your own id of it. Give one of the two.'),
  })
  .meta(noTwoNames('member'))

const Transfer = described(TransferRow, {
  id: 'The number of the transfer.',
  transaction_id: 'Its id, a UUID, as in webhooks.',
  created_at: localTime,
  settled_at: `When the points moved. Null while they are held. ${localTime}`,
  type: kinds,
  wallet: "The member's wallet. 1: main. 2: game.",
  envelope: '1: a red envelope, which the member accepts or rejects.',
  member_username: 'The member, or the agent below, whose points moved.',
  member_nickname: 'Its nickname.',
  amount: 'Points, never below zero: the kind says which way they go.',
  balance: 'Points of that wallet after it. Null while they are held.',
  audit_amount: 'What the member has to bet before a payout because of it.',
  status: statuses,
  user_username: 'The account that moved the points; empty for bets, wins and voids.',
  remark: 'The remark.',
  remark_edited: 'The remark was changed later.',
  corrects_type: 'Of a correction: the kind of the transfer that it takes back.',
  corrected: 'A correction has taken it back.',
  approval: 'Never sent: a transfer that waits for approval, or did not get it, is not listed.',
  request: 'The state of the request for points that holds these points or has held them.',
  past: '1: the member has moved away since.',
})
  .extend({
    third_party_id: thirdPartyId,
    bet_id: z.string().nullable().describe('Your id of the bet, of bets, wins and voids.'),
  })
  .meta({ id: 'Transfer' })

export const TransferPage = z.object({
  data: z.array(Transfer).describe('Newest first.'),
  total: z.int().describe('How many there are in all. Counting stops at 1,001 past the start of the page.'),
  next: z.string().nullable().describe('Send it as `before` to get the rows that follow. Null: there are none.'),
})
