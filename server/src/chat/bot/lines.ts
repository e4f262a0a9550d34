import type { Line } from '@tallyroom/contract/events'

/** The type of a line: not talk, but something that happened in the room; its content is the name of that. */
export const LINE = 12

/** The partner reads who answers from now on; how it came about, and who did it, is the group's. */
export const eventLineFor = (content: string, side: 'group' | 'partner'): string => {
  if (side === 'group') return content
  const said: Line = content === 'given_to_bot' ? 'bot_answers' : 'people_answer'
  return said
}
