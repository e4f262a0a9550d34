import { randomUUID } from 'node:crypto'
import { type CallName, callNames, declared, errors } from '@tallyroom/contract'
import { askedParts } from '@tallyroom/contract/asked-rights'
import { Role } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { rightOf, roleMay } from '../src/identity/policy.ts'
import { type Reply, type TestServer, startTestServer } from '../src/testing/app.ts'
import { hashOfAll, makeWorld, MISSING_ID, nothing, type World } from '../src/testing/rights/matrix.ts'
import { type Name, names, tree } from '../src/testing/rights/matrix-tree.ts'
import { inputOf, partRights, rights } from '../src/testing/rights/rights.ts'
import type { Verdict } from '../src/testing/rights/row.ts'

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startTestServer()
  world = await makeWorld(server)
}, 60_000)

/** Kinds of actors: with an active session, and without. */
const actors = 'top agent sub sibling cs siblingCs member siblingMember strangerMember'.split(' ') as Name[]

const absent = nothing()
const inputAbout = (call: CallName, whom: Name | 'nobody'): object => {
  if (whom === 'nobody') return inputOf(call, MISSING_ID, absent) ?? {}
  // Not every account has a room with contents.
  const its = world.of[whom] ?? { ...absent, transaction_id: randomUUID(), envelope: randomUUID() }
  return (
    inputOf(call, world.people[whom].id, { ...its, session: world.sessions[whom], passkey_id: world.passkeys[whom] }) ??
    {}
  )
}
const ask = async (call: CallName, token: string | undefined, input: object): Promise<Reply> =>
  (await server.post(call, server.wire.seal(call, input), token ? { authorization: `Bearer ${token}` } : {})).reply

/** Rights only: whether an action is possible at the moment is tested elsewhere. */
const verdictOf = ({ code, message }: Reply): Verdict | 'dead' | 'broken' => {
  if (code === errors['session.dead']) return 'dead'
  if (code === errors['server.failed']) return 'broken'
  if (code === errors['access.denied'] && message !== 'The username or password is wrong.') return 'denied'
  return code === errors['account.not_found'] ? 'absent' : 'ok'
}

test('[S1] the policy and the requirements name the same roles for every call', () => {
  const rolesOf = (right: (typeof rights)[CallName]) => (right === 'anyone' ? right : right.who)
  const stated = callNames.map((call) => [call, rolesOf(rights[call])] as const)
  const built = callNames.map((call) => {
    const right = rightOf(call)
    return [call, right === 'anyone' ? right : right.roles] as const
  })
  expect(Object.fromEntries(built)).toEqual(Object.fromEntries(stated))
})

test('[CODE-04] the policy and the requirements name the same roles for every part that the browser asks about', () => {
  const roles: readonly Role[] = [Role.admin, Role.agent, Role.customerService]
  const built = askedParts.map((part) => [part, roles.filter((role) => roleMay(role, part))] as const)
  expect(Object.fromEntries(built)).toEqual(partRights)
})

/** Calls that need a session. */
const closed = callNames.filter((call) => rights[call] !== 'anyone')

test('[S1] a call without a row of roles needs no session', async () => {
  const open = callNames.filter((call) => rights[call] === 'anyone')
  expect(open.length).toBeGreaterThan(0)
  for (const call of open) expect([call, verdictOf(await ask(call, undefined, {}))]).toEqual([call, 'ok'])
})

type Case = { who: string; whom: Name | 'nobody'; token: string | undefined; expected: Verdict | 'dead' }
const casesOf = (call: CallName): Case[] => {
  const row = rights[call]
  if (row === 'anyone') return []
  const judge = 'whom' in row ? row.whom : undefined
  const objects: (Name | 'nobody')[] = judge ? [...names, 'nobody'] : ['nobody']
  const { expired, ended, frozen, agentLogin } = world.tokens
  const dead = Object.entries({ none: undefined, unknown: 'x'.repeat(43), expired, ended, frozen })
  const living = [
    ...actors.map((name) => [name, name, world.people[name].token] as const),
    ['agentLogin', 'agent', agentLogin] as const,
  ]
  return [
    ...dead.map(([who, token]): Case => ({ who, whom: 'member', token, expected: 'dead' })),
    ...living.flatMap(([who, name, token]) =>
      objects.map((whom): Case => {
        const may = row.who.includes(tree[name].role)
        const verdict = !judge ? 'ok' : whom === 'nobody' ? 'absent' : judge(name, whom)
        return { who, whom, token, expected: may ? verdict : 'denied' }
      }),
    ),
  ]
}

describe('[S1] [S4] who may do what to whom', () => {
  test.each(closed)(
    '%s',
    async (call) => {
      const cases = casesOf(call)
      const wrong: string[] = []
      const absentTexts = new Set<string>()
      const judge = ({ who, whom, expected }: Case, reply: Reply) => {
        const got = verdictOf(reply)
        if (got !== expected) wrong.push(`${who} → ${whom}: ${got} (${reply.code} ${reply.message}), not ${expected}`)
        if (expected === 'absent') absentTexts.add(JSON.stringify(reply))
      }
      const before = await hashOfAll(server)
      const refused = cases.filter(({ expected }) => expected !== 'ok')
      for (let at = 0; at < refused.length; at += 12) {
        const some = refused.slice(at, at + 12)
        const replies = await Promise.all(some.map(({ token, whom }) => ask(call, token, inputAbout(call, whom))))
        some.forEach((one, n) => judge(one, replies[n] as Reply))
      }
      expect(wrong).toEqual([])
      expect(await hashOfAll(server)).toEqual(before)
      // Foreign and absent targets get exactly the same answer.
      expect(absentTexts.size).toBeLessThanOrEqual(1)
      if (inputOf(call, MISSING_ID, absent) === undefined) return
      for (const one of cases.filter(({ expected }) => expected === 'ok')) {
        judge(one, await ask(call, one.token, inputAbout(call, one.whom)))
        if (declared(call).effect === 'write') await world.restore()
      }
      expect(wrong).toEqual([])
    },
    60_000,
  )
})
