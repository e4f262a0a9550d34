import type { Answer } from '@tallyroom/contract'

/** A text that is sent later in a room, or an own reminder. */
export type TimedAct = Answer<'message/scheduled'>['data'][number]
