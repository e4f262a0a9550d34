/**
 * The rows of a list that can be asked for by the number of a page: what comes later, a page reaches by a search or a cursor.
 * The database reads all rows before a page to skip them.
 */
export const MOST_PAGED_ROWS = 50_000

/** The last page of `total` rows that can be asked for. */
export const lastPage = (total: number, perPage: number): number =>
  Math.max(1, Math.min(Math.ceil(total / perPage), Math.floor(MOST_PAGED_ROWS / perPage)))
