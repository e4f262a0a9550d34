import { tallyroom } from './tallyroom.ts'

/**
 * Goes through the members who wait and whom no colleague has. `reply` gets what they wrote; without a reply they go on
 * waiting for your colleagues.
 */
export const answerWaiting = async (reply: (texts: string[]) => string | undefined) => {
  for await (const { username, why, last_seq } of tallyroom.room.list()) {
    if (why !== 'queue') continue
    const texts: string[] = []
    for await (const { by, text } of tallyroom.message.list({ username, after_seq: Math.max(0, last_seq - 20) }))
      if (by === 'member' && text !== null) texts.push(text)
    const text = reply(texts)
    // What the member writes after `seen` still waits.
    if (text) await tallyroom.message.send({ username, as: 'answer', text, seen: last_seq })
  }
}
