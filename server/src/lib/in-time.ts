export class TooLate extends Error {}

/** The result of work. The work itself goes on after `ms`. @throws TooLate */
export const inTime = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate('too late')), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
