import type { Line } from '@tallyroom/contract/events'

/** The type of an event line: something that happened in the room; its content is the event's name. */
export const LINE = 12

/** The partner sees only who answers from now on; the reason and the person stay inside the group. */
export const eventLineFor = (content: string, side: 'group' | 'partner'): string => {
  if (side === 'group') return content
  return (content === 'given_to_bot' ? 'bot_answers' : 'people_answer') satisfies Line
}
