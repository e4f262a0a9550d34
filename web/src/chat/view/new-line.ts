import type { Message, RoomSummary } from '@tallyroom/contract/events'
import { unreadIn } from '@tallyroom/contract/unread'
import { isLine } from '@tallyroom/contract/codes'

type Facts = {
  summary: RoomSummary
  messages: readonly Message[]
  /** Whether the user sees what arrives. `back`: not for long, and what was held back meanwhile is still arriving. */
  watch: 'here' | 'back' | 'away'
}

/**
 * The seq that the "New" line comes after, or null for no line; undefined until the room is loaded. A line marks what was
 * unread when the room was opened, or arrived while nobody watched, until somebody of this side answers.
 */
export const nextNewLine = (line: number | null | undefined, { summary, messages, watch }: Facts) => {
  const isOpening = line === undefined
  // The line stays: a user who is just back is reading below it.
  const isUnseen = isOpening || watch === 'away' || (watch === 'back' && line === null)
  if (unreadIn(summary) > 0 && isUnseen) {
    const answer = messages.findLast(isAnswer)
    return Math.max(summary.read_seq, answer?.seq ?? 0, line ?? 0)
  }
  if (isOpening) return null
  // Only the messages below the line: a long room is not searched with each change.
  for (let i = messages.length - 1; line !== null && i >= 0; i--) {
    const message = messages[i]
    if (!message || message.seq <= line) break
    if (isAnswer(message)) return null
  }
  return line
}

const isAnswer = ({ is_self, type }: Message) => is_self && !isLine(type)
