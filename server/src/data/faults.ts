/** The commit was sent and not answered: it may or may not have happened. */
export class UnsureCommit extends Error {
  constructor(cause: Error) {
    super('the answer to a commit was lost', { cause })
  }
}

/** No query can be answered at the moment, and nothing was changed: no server takes writes, or the connection broke. */
export class DatabaseAway extends Error {
  constructor(cause: Error) {
    super('the database is away', { cause })
  }
}

/** Why the database is away, or a connection was lost, as one line. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof DatabaseAway) return reasonOf(error.cause)
  // When several addresses were tried, its own message is empty.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message || error.name : String(error)
}

/** The SQLSTATE of an error that PostgreSQL itself sent: only those have a severity. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'severity' in error && 'code' in error ? String(error.code) : ''

/** No statement failed: the connection broke (08), or the server shut down (57P). */
export const isConnectionError = (error: Error): boolean => /^(|08...|57P..)$/.test(codeOf(error))

/** The server became read-only (a standby), or has no connection left. */
const isRefusedByServer = (error: Error) => /^(25006|53300)$/.test(codeOf(error))

/** Takes an error of our client or of PostgreSQL, not of other code: without a code it is a lost connection. */
export const asAway = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return error
  if (error instanceof DatabaseAway) return error
  return isConnectionError(error) || isRefusedByServer(error) ? new DatabaseAway(error) : error
}

/** Whether PostgreSQL has ended a statement because it took too long. */
export const isTimedOut = (error: unknown): boolean => codeOf(error) === '57014'
