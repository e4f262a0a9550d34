import { PostgresError } from '@tallyroom/postgres/error'

/**
 * Tallyroom cannot start, and the operator can fix it. The message is one line: what is wrong and what to do. main
 * prints it without a stack and exits with 1.
 */
export class StartError extends Error {
  override name = 'StartError'
}

/** The built-in database has an error class of its own; everything else stays as it is. */
export const asStartError = (error: unknown): unknown =>
  error instanceof PostgresError ? new StartError(error.message, { cause: error }) : error
