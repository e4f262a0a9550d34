/** Points are whole numbers of 1/10000: "1.5" points is 15000n. Never a `number`. */
export type Points = bigint

const SHAPE = /^(-?)(\d{1,12})(?:\.(\d{1,4}))?$/

/** "12.5" -> 125000n. Undefined for exponents, other digits, "1.", ".5", "1,000", "-0" and a fifth decimal. */
export const parsePoints = (text: string): Points | undefined => {
  const found = SHAPE.exec(text)
  if (!found) return undefined
  const [, sign, whole = '', decimals = ''] = found
  const value = BigInt(whole) * 10_000n + BigInt(decimals.padEnd(4, '0'))
  if (!sign) return value
  return value === 0n ? undefined : -value
}

/** 125000n -> "12.5000": always four decimals, so amounts can be compared as text. */
export const formatPoints = (points: Points): string => {
  const size = points < 0n ? -points : points
  return `${points < 0n ? '-' : ''}${size / 10_000n}.${(size % 10_000n).toString().padStart(4, '0')}`
}

/** Rounds toward minus infinity to two decimals with thousands separators: 12345678n -> "1,234.56". */
export const showPoints = (points: Points): string => {
  const cents = points >= 0n ? points / 100n : -((-points + 99n) / 100n)
  const size = cents < 0n ? -cents : cents
  const whole = (size / 100n).toString().replace(/\B(?=(\d{3})+$)/g, ',')
  return `${cents < 0n ? '-' : ''}${whole}.${(size % 100n).toString().padStart(2, '0')}`
}
