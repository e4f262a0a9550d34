import { makeLanes } from '../../lib/lanes.ts'

export type Turns = <T>(of: number, work: () => Promise<T>) => Promise<T>

/**
 * Does one thing at a time, for all accounts. Only one thing of an account waits in the common queue, its others behind it:
 * what one account sends at once delays others by one thing. Beyond `mostWaiting` of an account they are refused.
 */
export const makeTurns = (mostWaiting = Infinity): Turns => {
  const ofAccount = makeLanes<number>(1, mostWaiting)
  const ofAll = makeLanes<'all'>(1, Infinity)
  return (of, work) => ofAccount(of, () => ofAll('all', work))
}
