import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router'

/**
 * The router reads the values of an address as JSON, in which 1e10, 1.50 and null are no texts: but they are usernames.
 * Only what the router itself has put in quotes is JSON here.
 */
const quoted = (text: string): unknown => {
  if (!text.startsWith('"')) throw new SyntaxError(`${text} is a text`)
  return JSON.parse(text)
}

/** Options of the router: each text of an address is read as it was written, or as the number or truth value that it is. */
export const searchTexts = {
  parseSearch: parseSearchWith(quoted),
  stringifySearch: stringifySearchWith(JSON.stringify, quoted),
}
