/** Sums over pairs of values: how many, of each side, of its squares, and of the products. */
export type Sums = { n: number; s: number; t: number; ss: number; tt: number; st: number }

/** The means of both sides, how they spread, and how well one follows the other, from -1 to 1 (Pearson). */
export const correlate = ({ n, s, t, ss, tt, st }: Sums, least = 1e-12) => {
  const means = [s / n, t / n] as const
  const spreads = [ss / n - means[0] ** 2, tt / n - means[1] ** 2] as const
  return { means, spreads, fit: (st / n - means[0] * means[1]) / Math.sqrt(spreads[0] * spreads[1] + least) }
}
