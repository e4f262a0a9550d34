import { isRefused } from '@tallyroom/client'
import { tallyroom } from './tallyroom.ts'

/** Makes a member for a player of yours. Called again, it makes no other one. */
export const addMember = async (player: { id: string; name: string }) => {
  try {
    await tallyroom.member.add({ third_party_id: player.id, nickname: player.name })
  } catch (error) {
    if (!isRefused(error, 'account.third_party_id_taken')) throw error
  }
}
