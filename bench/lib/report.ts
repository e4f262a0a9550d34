import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withheldShare } from './cpu.ts'
import type { Machine } from './machine.ts'
import { isQuick, rounds } from './rounds.ts'
import { show } from './stats.ts'

const results = fileURLToPath(new URL('../results', import.meta.url))

export type Ratio = { what: string; value: number; aim?: { least: number } | { most: number } }
export type Report = {
  name: string
  title: string
  machine: Machine
  /** How it was measured, if not in turns. */
  method?: string
  /** A heading row, then the rest; numbers are shown with three digits. */
  tables: { caption: string; rows: (string | number)[][] }[]
  ratios: Ratio[]
  notes: string[]
  /** All rounds as measured, so that results can be recomputed. */
  rounds: unknown
}

const asCell = (cell: string | number) => (typeof cell === 'number' ? show(cell) : cell)
const asTable = ([head = [], ...rest]: (string | number)[][]) =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rest]
    .map((row) => `| ${row.map(asCell).join(' | ')} |`)
    .join('\n')

const verdict = ({ value, aim }: Ratio) => {
  if (!aim) return ['', '']
  const [bound, isMet] = 'least' in aim ? [`≥ ${aim.least}`, value >= aim.least] : [`≤ ${aim.most}`, value <= aim.most]
  return [bound, isMet ? 'yes' : 'no']
}

/** `withheld`: see `withheldShare`. */
type Measured = Report & { withheld: number }

const asText = ({ title, machine, method, tables, ratios, notes, withheld }: Measured) => {
  const { date, cpu, cores, memoryGb, system, node, postgres, diskMs } = machine
  return [
    `# ${title}`,
    `${date} · ${cpu}, ${cores} cores, ${memoryGb} GB, ${system} · Node ${node} · PostgreSQL ${postgres} · 8 KB on the disk in ${diskMs} ms · withheld by the hypervisor: ${show(withheld * 100)} % · ${method ?? `medians of ${rounds} rounds, the contestants in turns`}`,
    ...tables.map(({ caption, rows }) => `## ${caption}\n\n${asTable(rows)}`),
    ...(ratios.length
      ? [
          `## Ratios\n\n${asTable([['', 'measured', 'aim', 'met'], ...ratios.map((one) => [one.what, one.value, ...verdict(one)])])}`,
        ]
      : []),
    ...notes,
  ].join('\n\n')
}

/** Prints a result and stores it in bench/results, as numbers and as a page. Quick runs are only printed. */
export const report = (found: Report): void => {
  const measured: Measured = { ...found, withheld: withheldShare() }
  const text = asText(measured)
  console.log(`\n${text}\n`)
  if (isQuick) return console.log('A quick try: not kept.')
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, `${found.name}.md`), `${text}\n`)
  writeFileSync(join(results, `${found.name}.json`), `${JSON.stringify(measured, null, 2)}\n`)
}
