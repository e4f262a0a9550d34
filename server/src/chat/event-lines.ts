import type { Line } from '@tallyroom/contract/events'

/** The partner reads only who answers from now on. The reason, and who caused it, is for the group. */
export const eventLineFor = (content: string, side: 'group' | 'partner'): string => {
  if (side === 'group') return content
  const said: Line = content === 'given_to_bot' ? 'bot_answers' : 'people_answer'
  return said
}
