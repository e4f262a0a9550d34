import { makeWire } from '../../server/src/http/wire.ts'
import { answerParent } from '../lib/child.ts'
import { HttpConnection, isOk } from '../lib/http.ts'
import { quantile } from '../lib/stats.ts'
import { type Job, type Key, makeJobs, type Mix, type People } from './operations.ts'

type Wanted = { url: string; mix: Mix | 'funds'; whom: string; clients: number; count: number }
/** `rate`: this many requests a second, answered or not; without it each client sends its next one after the answer. */
type Course = { url: string; seconds: number; rate?: number }
type Frame = { secret: string; admin: string; key: Key }

let frame: Frame | undefined
const known = new Map<string, People>()
let rows: Job[][] = []

const pause = (ms: number) => new Promise<void>((resolve) => (ms > 0 ? setTimeout(resolve, ms) : resolve()))
const ask = (connection: HttpConnection, request: Buffer) =>
  new Promise<string>((resolve) => connection.send(request, resolve))

type Tally = { latencies: number[]; transfers: number; refused: string[] }

/** One client: one job after another, each request timed from when it was due. */
const work = async (
  connection: HttpConnection,
  jobs: Job[],
  tally: Tally,
  when: { end: number; due?: () => number },
) => {
  for (let job = jobs.pop(); job; job = jobs.pop()) {
    let since = when.due?.() ?? performance.now()
    if (since >= when.end) return
    await pause(since - performance.now())
    let answer = ''
    let isGood = true
    for (const step of job.steps) {
      answer = await ask(connection, typeof step === 'function' ? step(answer) : step)
      isGood = isOk(answer)
      if (!isGood) break
      const now = performance.now()
      tally.latencies.push(now - since)
      since = now
    }
    if (isGood) tally.transfers += job.transfers
    else tally.refused.push(answer)
  }
}

const questions = {
  know: (given: Frame & { people: Record<string, People> }) => {
    frame = given
    for (const [name, people] of Object.entries(given.people)) known.set(name, people)
  },

  /** Seals requests beforehand, because in reality browsers do it on their own machines. */
  prepare: ({ url, mix, whom, clients, count }: Wanted) => {
    const people = known.get(whom)
    if (!frame || !people) throw new Error(`No group "${whom}" is known`)
    rows = makeJobs({ ...frame, url, wire: makeWire(frame.secret) }, people, mix, clients, count)
    return rows.reduce((sum, jobs) => sum + jobs.reduce((steps, job) => steps + job.steps.length, 0), 0)
  },

  /** Runs all clients until the time or the jobs are over. */
  run: async ({ url, seconds, rate }: Course) => {
    const connections = await Promise.all(rows.map(() => HttpConnection.open(url)))
    const tally: Tally = { latencies: [], transfers: 0, refused: [] }
    const all = rows.flat()
    const stepsAJob = all.reduce((sum, job) => sum + job.steps.length, 0) / all.length
    const began = performance.now()
    let due = 0
    const next = rate === undefined ? undefined : () => began + (1000 / rate) * stepsAJob * due++
    const when = { end: began + seconds * 1000, ...(next ? { due: next } : {}) }
    await Promise.all(connections.map((connection, at) => work(connection, rows[at] ?? [], tally, when)))
    const took = (performance.now() - began) / 1000
    for (const connection of connections) connection.close()
    const { latencies, transfers, refused } = tally
    if (refused.length) throw new Error(`${refused.length} were refused: ${refused[0]}`)
    const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)]
    return { transfers, rate: latencies.length / took, p50, p99 }
  },
}
export type LedgerClient = typeof questions

answerParent(questions)
