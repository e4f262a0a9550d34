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

/** The system refuses a file or a directory. Other faults of files are ours, and keep their stack. */
const fileRefusalOf = ({ code, path, dest, message }: NodeJS.ErrnoException & { dest?: string }) => {
  const file = dest ?? path
  if (code === 'EACCES' || code === 'EPERM')
    return `The user of this program (uid ${process.getuid?.()}) has no right to do this (${message}). Start it as the user who has, or name another directory.`
  if (code === 'EROFS') return `${file} is on a disk that is read-only here. Name another directory.`
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `The disk of ${file} is full. Free some space, or name a directory on a larger disk.`
  return undefined
}

const refusalOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  if ('path' in error) return fileRefusalOf(error as NodeJS.ErrnoException & { dest?: string })
  if (error.code === 'ECONNREFUSED' || error.code === 'ENOTFOUND')
    return `The database at DATABASE_URL does not answer (${error.message}). Check the address and that it is running.`
  if (error.code === '28P01' || error.code === '28000' || error.code === '3D000')
    return `The database at DATABASE_URL refused us: ${error.message}. Check its user, password and name.`
  // A named statement belongs to a connection, and in transaction mode the next statement may get another one.
  if (error.code === '42P05' || error.code === '26000')
    return `DATABASE_URL seems to lead through a pooler in transaction mode (${error.message}). Set DATABASE_POOLER=transaction and DATABASE_OWNER_URL: docs/operations/copies.md.`
  return undefined
}
