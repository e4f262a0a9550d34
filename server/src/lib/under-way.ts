/** Joins work that is still under way for the same key instead of beginning it again: what hangs is then there once. */
export const joinUnderWay = <K extends object, T>(work: (key: K) => Promise<T>): ((key: K) => Promise<T>) => {
  const underWay = new WeakMap<K, Promise<T>>()
  return (key) => {
    const known = underWay.get(key)
    if (known) return known
    const begun = work(key).finally(() => underWay.delete(key))
    underWay.set(key, begun)
    return begun
  }
}
