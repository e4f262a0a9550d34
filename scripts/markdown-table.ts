/** A table of Markdown as the formatter would leave it. */
export const markdownTable = (head: string[], rows: string[][]): string => {
  const all = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)))
  const line = (row: string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [first = [], ...rest] = all
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n')
}
