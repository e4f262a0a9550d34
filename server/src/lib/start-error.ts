/**
 * Tallyroom cannot start, and the operator can fix it. The message is one line: what is wrong and what to do. main
 * prints it without a stack and exits with 1.
 */
export class StartError extends Error {
  override name = 'StartError'
}
