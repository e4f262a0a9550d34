import { tallyroom } from './tallyroom.ts'

/** The transfers between two times, the newest first, over all pages. */
export const transfersBetween = async (start: Date, end: Date) => {
  const rows = []
  const times = { start_time: start.toISOString(), end_time: end.toISOString() }
  for await (const { transaction_id, third_party_id, type, amount } of tallyroom.transfer.list(times))
    rows.push({ id: transaction_id, player: third_party_id, kind: type, amount })
  return rows
}
