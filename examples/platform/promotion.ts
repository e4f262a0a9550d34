import { tallyroom } from './tallyroom.ts'

/** Gives each player the points of a promotion, ten at a time. Called again, it gives nobody twice. */
export const givePromotion = async (promotion: string, players: string[], amount: string) => {
  const failed: { player: string; error: unknown }[] = []
  const left = players.values()
  const giver = async () => {
    for (const player of left)
      await tallyroom.points
        .give({ third_party_id: player, amount, remark: promotion }, { idempotencyKey: `${promotion}/${player}` })
        .catch((error: unknown) => failed.push({ player, error }))
  }
  await Promise.all(Array.from({ length: 10 }, giver))
  return failed
}
