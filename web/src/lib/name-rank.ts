/**
 * How well a name fits what was typed, 0 is best: 0 the name begins with it, 1 a word of it does, 2 it is inside a word,
 * 3 it is not there. Both are compared as they are.
 */
export const nameRank = (name: string, wanted: string): number => {
  let rank = 3
  for (let at = name.indexOf(wanted); at >= 0; at = name.indexOf(wanted, at + 1)) {
    if (at === 0) return 0
    if (!/[\p{L}\p{M}\d]$/u.test(name.slice(0, at))) return 1
    rank = 2
  }
  return rank
}
