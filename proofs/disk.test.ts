import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageType } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { afterAll, expect, test } from 'vitest'
import { type Client, makeClient, signIn, signUp } from '../e2e/support/client.ts'
import { ledgerCheck } from '../e2e/support/faults/kills.ts'
import { type ServerProcess, startServer } from '../e2e/support/server.ts'

// R5 with the built server on its own in-memory disk, which only root can make: build first.
const MB = 1024 * 1024
const base = mkdtempSync(join(tmpdir(), 'tallyroom-disk-'))
chmodSync(base, 0o755)
const disk = join(base, 'disk')
const canMount = (() => {
  try {
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=500m,mode=755', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    process.stdout.write('R5 needs the right to mount (root): left out\n')
    return false
  }
})()
let server: ServerProcess | undefined
afterAll(async () => {
  await server?.remove()
  if (canMount) execFileSync('umount', ['-l', disk])
  rmSync(base, { recursive: true, force: true })
}, 120_000)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const ballast = join(disk, 'ballast')
const room = () => {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize
}
/** Another program fills the disk until this much is left. */
const fill = (left: number) => {
  for (let n = 0; room() > left; n++) {
    try {
      writeFileSync(`${ballast}-${n}`, Buffer.alloc(Math.max(4096, Math.min(8 * MB, room() - left))), { flag: 'wx' })
    } catch {
      // It exists already, or there is no space for it.
    }
    if (n > 5000) break
  }
}
const free = () => execFileSync('sh', ['-c', `rm -f ${ballast}-*`])

type SentRequest = { request_id: string; kind: 'text' | 'points'; code?: number }
const codesOf = (requests: SentRequest[]) => {
  const counts: Record<string, number> = {}
  for (const { code } of requests) counts[code ?? 'no answer'] = (counts[code ?? 'no answer'] ?? 0) + 1
  return counts
}

test.runIf(canMount)(
  '[R5] the disk fills up, slowly and at once: definite answers, reads, and it goes on by itself',
  async () => {
    const dataDir = join(disk, 'data')
    server = await startServer({ dataDir })
    const target = server
    const admin = await signIn(target.url, 'admin', target.password)
    const { share_code } = await admin.call('user/view', {})
    const member = await signUp(target.url, share_code, 'fullmoon')
    const code = (await member.call('room/list', {})).data[0]?.code ?? ''
    const requests: SentRequest[] = []
    const make = async (request: SentRequest, client: Client) => {
      const { request_id } = request
      const reply = await (request.kind === 'text'
        ? client.ask('sendMessage', {
            code,
            type: MessageType.text,
            content: `${request_id} ${'x'.repeat(3000)}`,
            request_id,
          })
        : client.ask('user/transaction', { id: member.id, amount: '1', remark: 'full', request_id })
      ).catch(() => undefined)
      if (reply) request.code = reply.code
    }
    /** Eight clients write for some time, or until one gets this answer. */
    const write = async (ms: number, untilCode?: number) => {
      const ours: SentRequest[] = []
      const end = Date.now() + ms
      await Promise.all(
        Array.from({ length: 8 }, async (_, n) => {
          const client = makeClient(target.url, admin.token)
          while (Date.now() < end && !ours.some((request) => untilCode !== undefined && request.code === untilCode)) {
            const request: SentRequest = { request_id: randomUUID(), kind: n % 2 ? 'text' : 'points' }
            ours.push(request)
            requests.push(request)
            await make(request, client)
            if (request.code !== OK) await pause(50)
          }
        }),
      )
      return ours
    }
    const readyz = async () => (await fetch(`${target.url}/readyz`).catch(() => undefined))?.status
    const reads = async () => [
      (await admin.ask('room/history', { code })).code,
      (await admin.ask('room/list', {})).code,
      (await member.ask('user/view', {})).code,
    ]
    const untilWell = async () => {
      const began = performance.now()
      for (;;) {
        const request: SentRequest = { request_id: randomUUID(), kind: 'points' }
        requests.push(request)
        await make(request, admin)
        if (request.code === OK) return Math.round(performance.now() - began)
        await pause(50)
      }
    }

    expect(codesOf(await write(1000))).toEqual({ 1000: expect.any(Number) })

    // Slowly: only the reserve is left.
    fill(50 * MB)
    await pause(1500)
    const slow = codesOf(await write(2000))
    expect(Object.keys(slow)).toEqual(['1503'])
    expect(await reads()).toEqual([1000, 1000, 1000])
    expect(await readyz()).toBe(200)
    free()
    const afterSlow = await untilWell()

    // Suddenly and to the last byte while writing: PostgreSQL cannot write its WAL and stops.
    const writing = write(8000)
    await pause(500)
    for (const end = Date.now() + 5000; Date.now() < end; await pause(20)) fill(0)
    const during = codesOf(await writing)
    const statusWhileFull = await readyz()
    const readsWhileFull = await reads().catch(() => ['no answer'])
    free()
    const afterSudden = await untilWell()
    expect(Object.keys(during).every((one) => ['1000', '1500', '1503'].includes(one))).toBe(true)

    // The database stops and cannot start again: the server waits for space and is not ready.
    fill(0)
    process.kill(Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
    await pause(5000)
    const whileDown = await readyz()
    free()
    const afterDown = await untilWell()
    expect(await readyz()).toBe(200)
    expect(target.child.exitCode).toBe(null)

    // All requests are repeated with their ids; each must then be stored once.
    for (const request of requests) while (request.code !== OK) await make(request, admin)
    const { room: last } = await member.call('room/enter', { code })
    const seen: string[] = []
    for (let before = last.last_seq + 1; before > 1; ) {
      const page = await member.call('room/history', { code, before, per_page: 30 })
      seen.push(
        ...page.messages.filter(({ type }) => type === MessageType.text).map(({ content }) => content.slice(0, 36)),
      )
      before = Math.min(...page.messages.map(({ seq }) => seq))
    }
    const of = (kind: SentRequest['kind']) =>
      requests.filter((request) => request.kind === kind).map(({ request_id }) => request_id)
    expect(seen.sort()).toEqual(of('text').sort())
    expect(Number((await member.call('user/view', {})).balance)).toBe(of('points').length)
    expect(await ledgerCheck(target)).not.toContain('✗')
    process.stdout.write(
      `${JSON.stringify({ requests: requests.length, slow, during, statusWhileFull, readsWhileFull, whileDown, msUntilWell: [afterSlow, afterSudden, afterDown] })}\n`,
    )
  },
  600_000,
)
