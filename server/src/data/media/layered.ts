import type { MediaStore } from './store.ts'

/**
 * Two places as one: new ones go to `fresh`, and what is in either is found. `near` is asked first, because it answers
 * without a request.
 */
export const layeredStore = (near: MediaStore, far: MediaStore, fresh: MediaStore): MediaStore => {
  /** `near` once more at the end: it may have been moved there meanwhile. */
  const first = async <T>(find: (store: MediaStore) => Promise<T | undefined>): Promise<T | undefined> =>
    (await find(near)) ?? (await find(far)) ?? (await find(near))
  return {
    put: (key, body) => fresh.put(key, body),
    read: (key) => first((store) => store.read(key)),
    open: (key, range) => first((store) => store.open(key, range)),
    size: (key) => first((store) => store.size(key)),
    async remove(key) {
      await near.remove(key)
      await far.remove(key)
    },
    async *list(prefix) {
      const seen = new Set<string>()
      for await (const found of near.list(prefix)) {
        seen.add(found.key)
        yield found
      }
      for await (const found of far.list(prefix)) if (!seen.has(found.key)) yield found
    },
  }
}
