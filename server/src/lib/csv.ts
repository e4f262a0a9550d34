/**
 * Text that a spreadsheet reads as a formula: = + - @ in ASCII, full-width and small forms, after any characters that
 * spreadsheets skip (spaces of all kinds, control characters, characters without a width); and a tab or line break at
 * the start, after which some spreadsheets begin a new cell.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u
/** Plain numbers are no formulas, even with a minus. */
const NUMBER = /^-?\d+(\.\d+)?$/

const cell = (text: string) => {
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

/** CSV of rows of [heading, value], with a byte order mark so that spreadsheets read UTF-8. Empty without rows. */
export const csvOf = (rows: (readonly (readonly [heading: string, value: string])[])[]): string => {
  const [first] = rows
  if (!first) return ''
  const lines = [first.map(([heading]) => heading), ...rows.map((row) => row.map(([, value]) => value))]
  return `\uFEFF${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`
}
