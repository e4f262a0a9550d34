import { randomUUID } from 'node:crypto'
import { type CallName, errors } from '@tallyroom/contract'
import { TransferKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { startTestServer } from '../server/src/testing/app.ts'
import { hashOfAll, makeWorld } from '../server/src/testing/rights/matrix.ts'
import { names } from '../server/src/testing/rights/matrix-tree.ts'

// S3 in full. `npx vitest run --config proofs/vitest.config.ts mixed-ids`; the regular test has some hundreds of cases.
const LEAST = 2400

test('[S3] 2,400 ids with another parent’s id: nothing is read or written', async () => {
  const server = await startTestServer()
  const { people, of, sessions } = await makeWorld(server)
  const before = await hashOfAll(server)
  const wrong: string[] = []
  let cases = 0
  const actors = names.filter((name) => name !== 'frozen')
  const ask = async (who: (typeof names)[number], name: CallName, input: object) => {
    const { reply } = await server.post(name, server.wire.seal(name, input), {
      authorization: `Bearer ${people[who].token}`,
    })
    cases++
    if (reply.code !== errors['access.denied'] && reply.code !== errors['account.not_found'])
      wrong.push(`${who} ${name} ${JSON.stringify(input)}: ${reply.code}`)
  }
  for (const who of actors) {
    // One account's session under another account's id.
    for (const one of names)
      for (const other of names)
        if (one !== other) await ask(who, 'session/endOf', { id: people[one].id, session_id: sessions[other] })
    for (const other of names) if (other !== who) await ask(who, 'session/end', { id: sessions[other] })
    for (const one of names) {
      for (const other of names) {
        const [mine, theirs] = [of[one], of[other]]
        if (one === other || !mine || !theirs) continue
        await ask(who, 'readMessage', { code: mine.code, message_id: theirs.message_id })
        const given = { type: TransferKind.send, amount: '0.5', code: theirs.code, request_id: randomUUID() }
        await ask(who, 'transaction/add', { member_id: people[one].id, ...given })
      }
    }
  }
  expect(wrong).toEqual([])
  expect(cases).toBeGreaterThanOrEqual(LEAST)
  expect(await hashOfAll(server)).toEqual(before)
}, 600_000)
