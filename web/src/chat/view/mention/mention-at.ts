/** Longer than any name. */
const MAX_TYPED = 40

/** The `@name` that is being typed: from "@" to the caret. After a Latin letter it is an address of a mail. */
export const mentionAt = (text: string, caret: number): { from: number; typed: string } | undefined => {
  const before = text.slice(Math.max(0, caret - MAX_TYPED - 2), caret)
  const typed = /(?:^|[^\p{Script=Latin}\d._-])@([^@\n]*)$/u.exec(before)?.[1]
  return typed === undefined || typed.length > MAX_TYPED ? undefined : { from: caret - typed.length - 1, typed }
}
