import { appendFileSync } from 'node:fs'

/** @param keep the file that gets each line, too */
export const verdictTo = (keep?: string) => {
  const write = (text: string) => {
    process.stdout.write(text)
    if (keep) appendFileSync(keep, text)
  }
  /** Prints a figure with its bound. A miss makes the program fail. */
  return (isRight: boolean, line: string): void => {
    write(`${isRight ? '✓' : '✗'} ${line}\n`)
    if (!isRight) process.exitCode = 1
  }
}
