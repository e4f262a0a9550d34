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
