/**
 * Text that a spreadsheet reads as a formula: = + - @ in ASCII, full-width and small forms, after any characters that
 * spreadsheets skip (spaces of all kinds, control characters, characters without a width); and a tab or line break at
 * the start, after which some spreadsheets begin a new cell.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u
/** Plain numbers are no formulas, even with a minus. */
const NUMBER = /^-?\d+(\.\d+)?$/

/** Names of months, as spreadsheets read them in languages with Latin letters. */
const MONTH =
  'jan(?:uary|uari)?|feb(?:ruary|ruari)?|mar(?:ch|et)?|mac|apr(?:il)?|may|mei|jun[ei]?|jul[yi]?|aug(?:ust)?|agu(?:stus)?|agt|ogos?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|d[ei][cs](?:ember)?'
/**
 * Text that a spreadsheet reads as a number, percentage, date, time or truth value, and shows as another text: 0912 is 912,
 * 12E4 is 120000. No letter of these ends the text of a formula.
 */
const LOOKS_LIKE_VALUE = new RegExp(
  String.raw`^\s*(?:(?=\P{Nd}*\p{Nd})[\p{Sc}\p{Nd}\s.,:/%()'-]+(?:e[-+]?\p{Nd}+|[ap]m?)?|(?:\p{Nd}{1,4}[\s.,/-]*)?(?:${MONTH})[\s.,/-]*\p{Nd}{1,4}(?:[\s.,/-]+\p{Nd}{1,4})?|\p{Nd}{1,4}[\s.,/-]*(?:${MONTH})|true|false)\s*$`,
  'iu',
)

/** `read`: a number or a time, which a spreadsheet shall read as one. Everything else is text, which it must not. */
export type Cell = readonly [heading: string, value: string, kind?: 'read']

const cell = (text: string, kind?: 'read') => {
  // A formula whose result is the text: spreadsheets have no other way to say in a CSV file that digits are text.
  const isFormula = FORMULA.test(text) && !NUMBER.test(text)
  if (kind !== 'read' && !isFormula && LOOKS_LIKE_VALUE.test(text)) return `"=""${text}"""`
  const harmless = isFormula ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

/** CSV of rows of cells, with a byte order mark so that spreadsheets read UTF-8. Empty without rows. */
export const csvOf = (rows: (readonly Cell[])[]): string => {
  const [first] = rows
  if (!first) return ''
  const lines = [
    first.map(([heading]) => cell(heading)),
    ...rows.map((row) => row.map(([, value, kind]) => cell(value, kind))),
  ]
  return `\uFEFF${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}
