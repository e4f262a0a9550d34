import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/**
 * Asks for a secret, which is not shown while it is typed; without a terminal the first line of the standard input is it. An
 * argument would be seen by everybody on this machine, and kept by the shell.
 */
export const readSecret = async (question: string, input = process.stdin, output = process.stdout): Promise<string> => {
  const hasTerminal = input.isTTY === true
  if (hasTerminal) output.write(question)
  const silent = new Writable({ write: (_, __, done) => done() })
  const lines = createInterface({ input, output: silent, terminal: hasTerminal })
  try {
    // The input may have ended without a line.
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (hasTerminal) output.write('\n')
  }
}
