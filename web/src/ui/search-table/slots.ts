export type Key = string | number

/**
 * Numbers the rows that are drawn. A row that comes takes the number of one that has gone: with it as its key, React
 * writes other words into what is there, which costs a fraction of making it anew.
 */
export const makeSlots = () => {
  let taken = new Map<Key, number>()
  return (keys: readonly Key[]): number[] => {
    const here = new Set(keys)
    const free = [...taken].flatMap(([key, place]) => (here.has(key) ? [] : [place])).reverse()
    let next = Math.max(-1, ...taken.values()) + 1
    const places = keys.map((key) => taken.get(key) ?? free.pop() ?? next++)
    taken = new Map(keys.map((key, at) => [key, places[at] ?? 0]))
    return places
  }
}
