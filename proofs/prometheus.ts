import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, run, sql } from '../server/src/data/sql.ts'

type QueryAnswer = { status: string; error?: string; data: { result: { value: [number, string] }[] } }
type Wanted = { directory: string; rules: string; targets: readonly number[]; port: number }

/** Debian's `prometheus`, which reads these ports every 5 s with these rules, and keeps its data in the directory. */
export const startPrometheus = async ({ directory, rules, targets, port }: Wanted) => {
  const config = join(directory, 'prometheus.yml')
  writeFileSync(
    config,
    `global: { scrape_interval: 5s, evaluation_interval: 5s }
rule_files: ['${rules}']
scrape_configs:
  - job_name: tallyroom
    static_configs: [{ targets: [${targets.map((target) => `'127.0.0.1:${target}'`).join(', ')}] }]`,
  )
  const address = `127.0.0.1:${port}`
  const options = { 'config.file': config, 'storage.tsdb.path': join(directory, 'tsdb'), 'web.listen-address': address }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  const child = spawn('prometheus', args, { stdio: 'ignore' })
  process.once('exit', () => child.kill('SIGKILL'))

  type Answer = { data: { alerts: { state: string; labels: { alertname: string } }[] } }
  /** The names of the alerts that are raised now. */
  const firing = async (): Promise<string[]> => {
    const { data } = (await (await fetch(`http://${address}/api/v1/alerts`)).json()) as Answer
    return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
  }
  /** Seconds until it holds; undefined after `limit`. */
  const until = async (isTrue: (raised: string[]) => boolean, limit: number): Promise<number | undefined> => {
    for (const began = performance.now(); ; await pause(250)) {
      const seconds = (performance.now() - began) / 1000
      if (isTrue(await firing())) return seconds
      if (seconds > limit) return undefined
    }
  }
  /** The values of a query, as a panel of a dashboard asks it; NaN is no value. @throws when Prometheus refuses it */
  const query = async (expression: string): Promise<number[]> => {
    const answer = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(expression)}`)
    const { status, error, data } = (await answer.json()) as QueryAnswer
    if (status !== 'success') throw new Error(error)
    return data.result.map(({ value }) => Number(value[1])).filter((value) => !Number.isNaN(value))
  }
  for (let left = 100; left > 0; left--) {
    if (await firing().catch(() => undefined)) return { firing, until, query, stop: () => child.kill() }
    await pause(200)
  }
  throw new Error('Prometheus did not start. Debian has it: apt-get install prometheus')
}

/** Plants the trouble that nobody makes parts of the table of requests: the last one ends in three days. */
export const withoutRequestParts = (db: Database) => async (): Promise<() => Promise<unknown>> => {
  await run(
    db,
    sql`do $$ declare part record; begin
      for part in select name from request_parts() where name <> 'requests_first' loop
        execute format('drop table %I', part.name);
      end loop;
      alter table requests detach partition requests_first;
      execute format('alter table requests attach partition requests_first for values from (minvalue) to (%L)',
        now() + interval '3 days');
    end $$`,
  )
  return () => run(db, sql`select tend_requests(30)`)
}
