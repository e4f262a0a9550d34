import { median } from './stats.ts'

/** `--quick` runs a bench in a few seconds; its numbers mean nothing and are not stored. */
export const isQuick = process.argv.includes('--quick')
export const rounds = isQuick ? 2 : 5
export const seconds = (usual: number): number => (isQuick ? 1 : usual)

/**
 * Alternates between contestants, each round starting with another one, so that disturbances of the machine affect all.
 * The first rounds warm up and are not counted.
 */
export const alternate = async <N extends string, R>(
  contestants: Record<N, () => Promise<R>>,
  { warmUps = 1 } = {},
): Promise<Record<N, R[]>> => {
  const names = Object.keys(contestants) as N[]
  const measured = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, R[]>
  for (let round = -warmUps; round < rounds; round++) {
    const first = Math.max(round, 0) % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const result = await contestants[name]()
      console.log(`${round < 0 ? 'warm-up' : `round ${round + 1}`}  ${name}  ${JSON.stringify(result)}`)
      if (round >= 0) measured[name].push(result)
    }
  }
  return measured
}

/**
 * Two contestants in pairs of rounds that follow each other, each the first of a pair half of the time: a disturbance
 * meets both of a pair more often than among several contestants.
 * @returns the rates of both, and their ratio in words
 */
export const comparePairs = async (
  pairs: number,
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<{ first: number; second: number; ratio: string }> => {
  const rates: [number, number][] = []
  for (let pair = 0; pair < pairs; pair++) {
    const early = await (pair % 2 === 0 ? first : second)()
    const late = await (pair % 2 === 0 ? second : first)()
    rates.push(pair % 2 === 0 ? [early, late] : [late, early])
  }
  const ratios = rates.map(([one, other]) => one / other)
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / pairs
  const spread = Math.sqrt(ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (pairs - 1) / pairs)
  return {
    first: median(rates.map(([one]) => one)),
    second: median(rates.map(([, other]) => other)),
    ratio: `${median(ratios).toFixed(3)} in the median, ${mean.toFixed(3)} ± ${spread.toFixed(3)} on average (${pairs} pairs)`,
  }
}
