import { one, sql } from '../data/sql.ts'
import type { Running } from '../start/serve.ts'
import { makeFamily } from './family.ts'
import { danaMembers, PASSWORD } from './people.ts'
import { startAnswering } from './responder.ts'

/** `npm run demo`: sample accounts with a month of history, made once, and members that answer. */
export const startDemo = async (running: Running): Promise<{ lines: string[]; stop: () => void }> => {
  const { db } = running.services
  const known = await one<{ id: number }>(db, sql`select id from accounts where username = 'dana'`)
  const began = performance.now()
  if (!known) await makeFamily(running)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const answering = danaMembers.filter(({ phrases }) => phrases)
  const stop = await startAnswering(running, answering)
  const lines = [
    '',
    ...(known ? [] : [`The sample data was made in ${seconds} s.`]),
    `Sample accounts, all with the password ${PASSWORD}:`,
    '  back office  /login   dana (agent) with mika and omar (customer service); nora and siti below; pavel; erin (second admin)',
    `  member       /m       benito and ten more; ${answering.map(({ username }) => username).join(', ')} answer by themselves`,
    '',
  ]
  return { lines, stop }
}
