import type { Running } from '../start/serve.ts'
import { one, sql } from '../data/sql.ts'
import { demoClient } from './client.ts'

/** The top account and Dana have closed the weeks before the last one, and what the first of them was owed is settled. */
export const closeWeeks = async (running: Running, heads: { id: number }[]): Promise<void> => {
  const { db, settings } = running.services
  const dayBefore = async (days: number) =>
    (
      await one<{ day: string }>(
        db,
        sql`select ((now() at time zone ${settings.timeZone}::text)::date - ${days}::int)::text as day`,
      )
    )?.day ?? ''
  for (const { id } of heads) {
    const head = await demoClient(running, id, 'office')
    for (const [from, to] of [
      [31, 15],
      [14, 8],
    ] as const)
      await head.call('period/close', { start_date: await dayBefore(from), end_date: await dayBefore(to) })
    const { data } = await head.call('settlement/list', {})
    const first = data.filter(({ own }) => own === 1).at(-1)
    if (first) await head.call('settlement/settle', { id: first.id, remark: 'bank transfer' })
  }
}
