import { PostgresError } from '@tallyroom/postgres/error'

/**
 * Tallyroom cannot start, and the operator can fix it. The message is one line: what is wrong and what to do. main
 * prints it without a stack and exits with 1.
 */
export class StartError extends Error {
  override name = 'StartError'
}

/** The built-in database has an error class of its own, and a database that refuses us a code; everything else stays. */
export const asStartError = (error: unknown): unknown => {
  if (error instanceof StartError) return error
  const words = error instanceof PostgresError ? error.message : refusalOf(error)
  return words === undefined ? error : new StartError(words, { cause: error })
}

const refusalOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  if (error.code === 'ECONNREFUSED' || error.code === 'ENOTFOUND')
    return `The database at DATABASE_URL does not answer (${error.message}). Check the address and that it is running.`
  if (error.code === '28P01' || error.code === '28000' || error.code === '3D000')
    return `The database at DATABASE_URL refused us: ${error.message}. Check its user, password and name.`
  // A named statement belongs to a connection, and in transaction mode the next statement may get another one.
  if (error.code === '42P05' || error.code === '26000')
    return `DATABASE_URL seems to lead through a pooler in transaction mode (${error.message}). Set DATABASE_POOLER=transaction and DATABASE_OWNER_URL: docs/operations.md.`
  return undefined
}
