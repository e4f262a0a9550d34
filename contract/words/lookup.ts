/** Says a word of these keys in a language: `t` of the browser, `wordsFor` of the server. */
export type Say<Key extends string> = (key: Key, values?: Record<string, string | number>) => string

/** A table that any text can be looked up in. Its values keep their literal types, so that a missing word is an error. */
export const lookup = <const Value>(
  table: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value | undefined>> => table
