import type { Input } from '@tallyroom/contract'
import type { OpeningHours } from '@tallyroom/contract/desk/hours'
import { workLevels } from '@tallyroom/contract/desk/waits'
import { recountRow, recountWaits, type RoomHistory, rowsOf } from '@tallyroom/contract/desk/waits-oracle'
import type { Person } from '../app.ts'

type Compared = {
  viewer: Person
  histories: RoomHistory[]
  days: Pick<Input<'report/work'>, 'start_date' | 'end_date'>
  hoursOf: (group: number) => OpeningHours | undefined
  zone: string
}

/** DESK-09: every figure of the report, and the waits that each opens, against the recount. @returns the differences */
export const compareReport = async ({ viewer, histories, days, hoursOf, zone }: Compared): Promise<string[]> => {
  const waits = histories.flatMap(recountWaits)
  const differences: string[] = []
  const expectSame = (what: string, found: unknown, wanted: unknown) => {
    const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)]
    if (a !== b) differences.push(`${what}: ${a}, recounted ${b}`)
  }
  for (const by of workLevels) {
    const asked = { ...days, by }
    const now = Date.now()
    const report = await viewer.call('report/work', asked)
    const rows = rowsOf(waits, by, zone)
    const order = (keys: (number | null)[]) => keys.map(String).toSorted()
    const withWaits = report.data.filter((row) => row.waits + row.passed > 0)
    expectSame(`rows by ${by}`, order(withWaits.map(({ row }) => row)), order(rows))
    for (const row of [undefined, ...rows]) {
      const level = row === undefined && by === 'person' ? 'group' : by
      const { figures, cells } = recountRow(waits, { by: level, now, hoursOf, zone }, row)
      const found = row === undefined ? report.total : report.data.find((one) => one.row === row)
      for (const [name, wanted] of Object.entries(figures))
        expectSame(`${by} ${row} ${name}`, found?.[name as keyof typeof found], wanted)
      for (const { count, waits: wanted } of cells) {
        if (wanted.length === 0) continue
        const listed = await listWaits(viewer, { ...asked, count, row })
        expectSame(`waits of ${by} ${row} ${count}`, listed, wanted)
      }
    }
  }
  return differences
}

/** All pages of the waits behind a figure. */
const listWaits = async (viewer: Person, asked: Input<'report/workWaits'>): Promise<string[]> => {
  const found: string[] = []
  for (let after: string | undefined; ; ) {
    const page = await viewer.call('report/workWaits', { ...asked, per_page: 7, after })
    found.push(...page.data.map(({ wait }) => wait.replace('-', '/')))
    if (page.next === null) return page.total === found.length ? found.toSorted() : [`total ${page.total}`, ...found]
    after = page.next
  }
}
