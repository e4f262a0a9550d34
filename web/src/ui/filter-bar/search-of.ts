/** What the address of a page may set. The router reads 007 as a number. */
export type SearchOf<K extends string> = { [Key in K]?: string | number | undefined }

/**
 * For `validateSearch` of a route: a link to the page cannot set anything but these keys. A value that is neither text nor
 * number is dropped.
 */
export const searchOf =
  <K extends string>(...keys: readonly K[]) =>
  (search: Record<string, unknown>): SearchOf<K> => {
    const found: SearchOf<K> = {}
    for (const key of keys) {
      const value = search[key]
      if (typeof value === 'string' || typeof value === 'number') found[key] = value
      // The router would else keep the value of the address.
      else if (key in search) found[key] = undefined
    }
    return found
  }
