import { tallyroom } from './tallyroom.ts'

/** Where to redirect the browser of a player who is signed in on your pages. It works once, and only for a minute. */
export const conversationUrl = async (player: string) => {
  const { url } = await tallyroom.signIn.token({ third_party_id: player, kind: 'landing' })
  return url
}
