/**
 * Tallyroom cannot start, and the person who started it can do something about it.
 * The message is the whole story in one line: what is wrong and what to do. main prints it without a stack and exits 1.
 */
export class StartError extends Error {
  override name = 'StartError'
}
