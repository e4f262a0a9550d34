/**
 * What a spreadsheet takes for a formula, whoever typed it: = + - @ in their ASCII, full-width and small forms, with whatever
 * spreadsheets skip before them (spaces of all kinds, control characters, characters without a width); and a tab or line break
 * at the start, after which some begin a new cell.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u
/** A plain number is none, although it may begin with a minus. */
const NUMBER = /^-?\d+(\.\d+)?$/

const cell = (text: string) => {
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

/** CSV of rows of [heading, value]; the mark in front tells spreadsheets that it is UTF-8. Empty without rows. */
export const csvOf = (rows: (readonly (readonly [heading: string, value: string])[])[]): string => {
  const [first] = rows
  if (!first) return ''
  const lines = [first.map(([heading]) => heading), ...rows.map((row) => row.map(([, value]) => value))]
  return `\uFEFF${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`
}
