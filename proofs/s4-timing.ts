import { Role } from '@tallyroom/contract/codes'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CallName, errors } from '@tallyroom/contract'
import { makeAccount } from '../server/src/accounts/accounts.ts'
import { startServices } from '../server/src/start/services.ts'
import { createRoom } from '../server/src/chat/create-room.ts'
import { hashPassword, ofThisProcess } from '../server/src/identity/passwords.ts'
import { migrateFor } from '../server/src/data/access.ts'
import { startPostgres } from '@tallyroom/postgres'
import { settingsFrom } from '../server/src/config/settings.ts'
import { makeWire } from '../server/src/http/wire.ts'

// S4: foreign and absent targets take the same time. `npx tsx proofs/s4-timing.ts`: medians of each call, at most 5 ms apart.
const ROUNDS = 400
const ABSENT = 99_999_999
const MAX_MS = 5

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
const dataDir = mkdtempSync(join(tmpdir(), 'tallyroom-proof-'))
const postgres = await startPostgres({ dataDir, durable: false })
await migrateFor(postgres)
const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'silent', CALL_LIMITS: 'off' }
const settings = settingsFrom(env)
const { services, address, close } = await startServices(settings, postgres.app)
const wire = makeWire(settings.wireSecret)

const passwordHash = await hashPassword('secret123', ofThisProcess)
const family = (n: number) =>
  services.db.transact(async (tx) => {
    const make = (
      username: string,
      role: 1 | 2 | 4,
      parent?: { id: number; topId: number; path: string; groupId: number },
    ) => makeAccount(tx, { parent, role, username, nickname: '', passwordHash, unlimited: role === Role.admin })
    const top = await make(`top${n}x`, Role.admin)
    const under = { ...top, path: `/${top.id}/` }
    const agent = await make(`agent${n}`, Role.agent, under)
    const member = await make(`member${n}`, Role.member, { ...agent, path: `${under.path}${agent.id}/` })
    const room = await createRoom(tx, member)
    return { member: member.id, room: room?.code ?? '' }
  })

const ask = async (name: CallName, input: object, token = '') => {
  const answer = await fetch(`${address}/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(wire.seal(name, input)),
  })
  return (await answer.json()) as { code: number; data: { token: string } }
}

try {
  await family(1)
  const foreign = await family(2)
  const { data } = await ask('login', { username: 'agent1', password: 'secret123' })
  const pairs: [CallName, object, object][] = [
    ['user/view', { id: foreign.member }, { id: ABSENT }],
    ['user/path', { id: foreign.member }, { id: ABSENT }],
    ['user/abilities', { id: foreign.member }, { id: ABSENT }],
    ['user/edit', { id: foreign.member, nickname: 'x' }, { id: ABSENT, nickname: 'x' }],
    ['member/view', { member_id: foreign.member }, { member_id: ABSENT }],
    ['user/transaction', { id: foreign.member, amount: '1' }, { id: ABSENT, amount: '1' }],
    ['room/enter', { code: foreign.room }, { code: 'x'.repeat(22) }],
  ]
  for (const [name, there, nowhere] of pairs) {
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS * 2; round++) {
      const began = performance.now()
      const { code } = await ask(name, round % 2 ? nowhere : there, data.token)
      times[round % 2 ? 1 : 0].push(performance.now() - began)
      if (code !== errors['account.not_found']) throw new Error(`${name} was answered with ${code}, not 1404`)
    }
    const [a, b] = times.map(median)
    const apart = Math.abs((a ?? 0) - (b ?? 0))
    if (apart > MAX_MS) process.exitCode = 1
    process.stdout.write(
      `${apart > MAX_MS ? '✗' : '✓'} ${name}: foreign ${a?.toFixed(2)} ms, absent ${b?.toFixed(2)} ms, ${apart.toFixed(2)} apart\n`,
    )
  }
} finally {
  await close()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
