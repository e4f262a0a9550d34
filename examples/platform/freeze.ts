import { tallyroom } from './tallyroom.ts'

/** Freezes a member: it is signed out, and its points cannot be moved. */
export const freeze = (player: string) => tallyroom.member.set({ third_party_id: player, set: { status: 0 } })

/** Lets a frozen member sign in again. */
export const unfreeze = (player: string) => tallyroom.member.set({ third_party_id: player, set: { status: 1 } })
