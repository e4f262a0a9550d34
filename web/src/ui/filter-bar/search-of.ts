/** What the address of a page may set. */
export type SearchOf<K extends string> = { [Key in K]?: string | number | undefined }

/**
 * The text of a value of an address: the router reads 7 as a number and "true" as a truth value, but somebody may have such
 * a name. Undefined for what is no text.
 */
export const searchText = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined

/** For `validateSearch` of a route: a link to the page cannot set anything but these keys. */
export const searchOf =
  <K extends string>(...keys: readonly K[]) =>
  (search: Record<string, unknown>): SearchOf<K> => {
    const found: SearchOf<K> = {}
    for (const key of keys) {
      const value = search[key]
      // The router would else keep the value of the address.
      if (key in search) found[key] = typeof value === 'number' ? value : searchText(value)
    }
    return found
  }
