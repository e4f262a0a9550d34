import { version } from './version.mjs'

/** A message as the operator can type it: a release has its own program (deploy/tallyroom) and needs no npm. */
export const asTyped = (text: string, program = process.env.TALLYROOM_PROGRAM): string =>
  program
    ? text.replaceAll(/npm run ([a-z]+(?:[:-][a-z]+)?)(?: --(?=\s))?/g, (_, name: string) => `${program} ${name}`)
    : text

let format: 'text' | 'json' = 'text'
/** How the lines for the operator are written from now on. */
export const setLineFormat = (next: typeof format): void => {
  format = next
}

/** A line for the operator: as it is, or in the form of the log's lines, for programs that collect those. */
export const lineOf = (line: string, level: 'info' | 'fatal', as = format): string => {
  const msg = asTyped(line)
  if (as === 'text') return `${msg}\n`
  return `${JSON.stringify({ level, time: new Date().toISOString(), pid: process.pid, version, msg: msg.trim() })}\n`
}

/** Prints a line for the operator. */
export const say = (line: string): void => void process.stdout.write(lineOf(line, 'info'))
