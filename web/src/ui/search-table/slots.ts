export type Key = string | number

/**
 * Numbers the rendered rows. A new row reuses the number of a removed one: with that number as key, React updates
 * existing elements, which costs a fraction of creating them.
 */
export const makeSlots = () => {
  let taken = new Map<Key, number>()
  return (keys: readonly Key[]): number[] => {
    const present = new Set(keys)
    const free = [...taken].flatMap(([key, slot]) => (present.has(key) ? [] : [slot])).reverse()
    let next = Math.max(-1, ...taken.values()) + 1
    const slots = keys.map((key) => taken.get(key) ?? free.pop() ?? next++)
    taken = new Map(keys.map((key, at) => [key, slots[at] ?? 0]))
    return slots
  }
}
