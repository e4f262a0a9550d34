import { parse } from '../cli/arguments.mjs'
import type { Given } from '../cli/commands/command.ts'

/** What a command is given when these words are typed behind its name. @throws Error with what is printed instead */
export const given = (name: string, ...words: string[]): Given => {
  const parsed = parse(name, words)
  if ('given' in parsed) return parsed.given
  throw new Error(parsed.text)
}
