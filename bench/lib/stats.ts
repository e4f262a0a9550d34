/** The quantile `q` of the values; NaN if there are none. */
export const quantile = (values: readonly number[], q: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** The medians of several rounds, for each number. */
export const medians = <K extends string>(rounds: readonly Record<K, number>[]): Record<K, number> => {
  const keys = Object.keys(rounds[0] ?? {}) as K[]
  return Object.fromEntries(keys.map((key) => [key, median(rounds.map((round) => round[key]))])) as Record<K, number>
}

/** For tables: whole numbers from 100 on, else three significant digits. */
export const show = (value: number): string =>
  Number.isNaN(value)
    ? '–'
    : value >= 100
      ? Math.round(value).toLocaleString('en')
      : String(Number(value.toPrecision(3)))
