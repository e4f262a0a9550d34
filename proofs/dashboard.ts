import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

type Panel = { title: string; targets?: { expr: string }[] }

/** Two readings of a counter, which a rate needs, and some room. */
const READ_MS = 20_000

type Asked = {
  query: (expression: string) => Promise<number[]>
  tell: (line: string) => void
  work: () => Promise<unknown>
}

/**
 * Asks Prometheus each query of the Grafana dashboard, after `work` has been going on for a while. Tells what is wrong, and
 * returns how much: queries that are refused, and panels that are empty though all is well.
 */
export const checkDashboard = async ({ query, tell, work }: Asked): Promise<number> => {
  for (const began = performance.now(); performance.now() - began < READ_MS; await pause(200)) await work()
  const file = new URL('../deploy/grafana/tallyroom.json', import.meta.url)
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: Panel[] }
  const queries = panels.flatMap(({ title, targets }) => (targets ?? []).map(({ expr }) => ({ title, expr })))
  const faults: string[] = []
  for (const { title, expr } of queries) {
    const values = await query(expr).catch((error: unknown) => String(error))
    if (typeof values === 'string') faults.push(`${title}: ${values}`)
    else if (values.length === 0) faults.push(`${title}: no data for ${expr}`)
  }
  tell(JSON.stringify({ dashboard: queries.length, faults }))
  return faults.length
}
