/**
 * The database cannot start or was lost, and the operator can fix it. The message is one line: what is wrong and what to
 * do.
 */
export class PostgresError extends Error {
  override name = 'PostgresError'
}
