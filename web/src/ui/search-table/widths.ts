/** Width in px of texts in a table, so that no column is narrower than its words. */

/** Padding of a cell on both sides (table.css), and the arrow of a column that can be sorted. */
const paddingOf = ({ dense, first }: { dense: boolean; first: boolean }) =>
  (dense ? 8 : 12) + (first ? 16 : dense ? 8 : 12)
const ARROW = 17
/** Icon, gap and padding of a chip. */
const CHIP = 34
/** Titles up to this width stay on one line; longer ones wrap between words, into two lines. */
const ONE_LINE = 72
/** Two lines are seldom equally long. */
const HALF = 0.6

let context: CanvasRenderingContext2D | null | undefined
let font = ''
const known = new Map<string, number>()

const widthOf = (text: string): number => {
  context ??= document.createElement('canvas').getContext('2d')
  // Without a canvas (in tests) an estimate.
  if (!context) return text.length * 7
  const wanted = `500 12px ${getComputedStyle(document.documentElement).fontFamily}`
  if (wanted !== font) {
    font = wanted
    context.font = font
    known.clear()
  }
  const width = known.get(text) ?? context.measureText(text).width
  known.set(text, width)
  return width
}

/** Thai, Burmese and Chinese have no spaces between words. */
const wordsOf = (title: string, language: string): string[] =>
  /^(th|my|zh)/.test(language) && 'Segmenter' in Intl
    ? [...new Intl.Segmenter(language, { granularity: 'word' }).segment(title)].map(({ segment }) => segment)
    : title.split(/\s+/)

/** Titles have 12 px; cells and buttons have 13. */
const cellWidthOf = (text: string) => widthOf(text) * (13 / 12)

/** The width of a column with this amount in a cell: its digits are equally wide (`.points`). */
export const amountWidth = (amount: string, column: { dense: boolean; first: boolean }) =>
  Math.ceil(paddingOf(column) + cellWidthOf(amount.replace(/\d/g, '0')))

/** In a row: padding and border of the button with its word, its icon and gap, the gap and the button beside it. */
const WORD_BUTTON = 22
const BUTTON_ICON = 22
const MORE_BUTTON = 36
const ACTIONS_PADDING = 30

const GAP = 4
/** More than this of a row is left to its columns. */
const MAX_FOR_TWO = 260

const widthOfTwo = (actions: readonly { label: string }[]) =>
  actions.reduce((sum, { label }) => sum + cellWidthOf(label) + WORD_BUTTON, GAP + ACTIONS_PADDING)

/** Whether rows show both of their two actions as words, without icons, instead of the second in a menu. */
export const showsTwoWords = (actions: readonly { label: string }[], dense: boolean) =>
  actions.length === 2 && !dense && widthOfTwo(actions) <= MAX_FOR_TWO

/** The width of the actions of rows: beside a menu, any action before the first that every row has may be the word. */
export const actionsWidth = (actions: readonly { label: string; hidden?: unknown }[], dense: boolean): number => {
  if (actions.length === 0) return 0
  if (showsTwoWords(actions, dense)) return Math.ceil(widthOfTwo(actions))
  const always = actions.findIndex(({ hidden }) => !hidden)
  const words = actions.slice(0, always < 0 ? actions.length : always + 1).map(({ label }) => cellWidthOf(label))
  const button = WORD_BUTTON + (dense ? 0 : BUTTON_ICON)
  return Math.ceil(Math.max(...words) + button + (actions.length > 1 ? MORE_BUTTON : 0) + ACTIONS_PADDING)
}

/**
 * Which columns are shown in this width: all, or without those that the details of a row have too, the lowest `spare`
 * first.
 */
export const columnsThatFit = (columns: readonly { spare?: number }[], widths: readonly number[], width: number) => {
  const shown = new Set(columns.keys())
  const spare = [...shown].filter((at) => columns[at]?.spare !== undefined)
  spare.sort((a, b) => (columns[a]?.spare ?? 0) - (columns[b]?.spare ?? 0))
  let used = widths.reduce((sum, own) => sum + own, 0)
  for (const at of spare) {
    if (used <= width) break
    shown.delete(at)
    used -= widths[at] ?? 0
  }
  return [...shown]
}

type Texts = {
  title: string
  sorts: boolean
  chips: readonly string[]
  texts: readonly string[]
  language: string
  dense: boolean
  /** The first column begins further in. */
  first: boolean
}

/** The least width of a column with this title, and with chips of these texts in its cells. */
export const leastWidth = ({ title, sorts, chips, texts, language, ...column }: Texts): number => {
  const line = widthOf(title)
  const words = line <= ONE_LINE ? line : Math.max(line * HALF, ...wordsOf(title, language).map(widthOf))
  const cells = [
    ...texts.flatMap((text) => wordsOf(text, language)).map(cellWidthOf),
    ...chips.map((text) => widthOf(text) + CHIP),
  ]
  return Math.ceil(paddingOf(column) + Math.max(words + (sorts ? ARROW : 0), ...cells))
}
