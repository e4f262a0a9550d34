import { tallyroom } from './tallyroom.ts'

/** The points of up to 500 players, as decimal text. A player without a member is left out. */
export const balancesOf = async (players: string[]) => {
  const { data } = await tallyroom.balance.list({ third_party_ids: players })
  return new Map(data.map(({ third_party_id, balance }) => [third_party_id, balance]))
}
