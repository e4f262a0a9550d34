import { makeLanes } from '../../lib/lanes.ts'

export type Turns = <T>(of: number, work: () => Promise<T>) => Promise<T>

/** Files of an account that may wait behind the one in work: a browser sends its images and files one by one. */
const MAX_WAITING = 9

/**
 * Does one thing at a time, for all accounts. Only one thing of an account waits in the common queue, its others behind it:
 * what one account sends at once delays others by one thing. Too many of an account are refused as server.busy.
 */
export const makeTurns = (): Turns => {
  const ofAccount = makeLanes<number>(1, MAX_WAITING)
  const ofAll = makeLanes<'all'>(1, Infinity)
  return (of, work) => ofAccount(of, () => ofAll('all', work))
}
