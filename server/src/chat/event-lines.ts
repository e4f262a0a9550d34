import type { Line } from '@tallyroom/contract/events'

/** The partner reads only who answers from now on. The reason, and who caused it, is for the group. */
export const eventLineFor = (line: Line, side: 'group' | 'partner'): Line => {
  if (side === 'group') return line
  return line === 'given_to_bot' ? 'bot_answers' : 'people_answer'
}
