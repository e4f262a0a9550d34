import { tallyroom } from './tallyroom.ts'

export type Round = { id: string; player: string; bet: string; win: string }

/** Reports up to 200 rounds of your games. Sent again, each counts once. Returns the rounds that were refused, and why. */
export const reportRounds = async (rounds: Round[]) => {
  const bets = await tallyroom.bet.reportMany({
    rows: rounds.map(({ id, player, bet }) => ({ bet_id: id, third_party_id: player, amount: bet })),
  })
  const won = rounds.filter(({ win }, at) => bets.rows[at]?.refusal === null && Number(win) > 0)
  if (won.length === 0) return bets.rows.filter(({ refusal }) => refusal !== null)
  const wins = await tallyroom.win.reportMany({
    rows: won.map(({ id, player, win }) => ({ bet_id: id, third_party_id: player, amount: win })),
  })
  return [...bets.rows, ...wins.rows].filter(({ refusal }) => refusal !== null)
}
