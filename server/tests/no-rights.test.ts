import { randomUUID } from 'node:crypto'
import { type CallName, callNames, declared, errors, OK } from '@tallyroom/contract'
import { Role } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, sql } from '../src/data/sql.ts'
import { changeableRights } from '../src/identity/menu-pages.ts'
import { type Reply, type TestServer, startTestServer } from '../src/testing/app.ts'
import { makeWorld, nothing, type World } from '../src/testing/rights/matrix.ts'
import { type Name, names, parentOf, tree } from '../src/testing/rights/matrix-tree.ts'
import { inputOf, rights } from '../src/testing/rights/rights.ts'

/** Of each kind one, with everything below it. */
const takenFrom = ['top', 'agent', 'cs'] as const satisfies Name[]

let server: TestServer
let world: World
const namesOf = new Map<Name, string>()
beforeAll(async () => {
  server = await startTestServer()
  world = await makeWorld(server)
  for (const name of names) namesOf.set(name, world.people[name].username)
}, 60_000)

/** Only what nobody can take away is left: the first page, the own settings, an agent's own customer service. */
const takeAll = async () => {
  const { db } = server.services
  for (const name of takenFrom) {
    const given = changeableRights(tree[name].role)
    await run(
      db,
      sql`insert into account_rights (account_id, top_id, by_id, name, is_given)
        select ${world.people[name].id}, ${world.people.top.id}, ${world.people.top.id}, name, false
        from unnest(${given}::text[]) name on conflict do nothing`,
    )
  }
}

/** What the account itself has made; the tree's members only name it. */
const own = new Set<CallName>(['approval/withdraw', 'change/withdraw', 'listView/save', 'listView/delete'])
/** An agent writes with the customer service of its upline, whatever was taken from it. */
const isOwn = (call: CallName, who: Name, whom: Name) =>
  own.has(call) || (call === 'room/enter' && tree[who].role === Role.agent && parentOf(who) === whom)

const inputAbout = (call: CallName, whom: Name): object => {
  const its = world.of[whom] ?? { ...nothing(), transaction_id: randomUUID(), envelope: randomUUID() }
  const all = { ...its, session: world.sessions[whom], passkey_id: world.passkeys[whom] }
  return inputOf(call, world.people[whom].id, all) ?? {}
}

describe('[GUARD-07] an account from which every right was taken', () => {
  beforeAll(takeAll)
  // What a call refuses for other reasons than rights tells nobody anything either.
  const tells = ({ code, refusal }: Reply) => code === OK && refusal === undefined
  const calls = callNames.filter((call) => rights[call] !== 'anyone' && call !== 'logout')

  test.each(takenFrom)('%s reads and changes nobody else, by no call', async (who) => {
    const wrong: string[] = []
    for (const call of calls) {
      const row = rights[call]
      if (row === 'anyone' || !row.who.includes(tree[who].role)) continue
      if (!('whom' in row) && row.ask === null) continue
      const others = 'whom' in row ? names.filter((name) => name !== who && !isOwn(call, who, name)) : [who]
      for (const whom of others) {
        const input = {
          ...inputAbout(call, whom),
          ...(declared(call).effect === 'write' ? { request_id: randomUUID() } : {}),
        }
        const reply = await world.people[who].ask(call, input as never)
        if (reply.code === errors['server.failed']) wrong.push(`${call} about ${whom}: ${reply.message}`)
        if ('whom' in row && tells(reply))
          wrong.push(`${call} about ${whom}: ${JSON.stringify(reply.data).slice(0, 200)}`)
        const text = JSON.stringify(reply.data)
        for (const [name, username] of namesOf)
          if (name !== who && text?.includes(username)) wrong.push(`${call} about ${whom} names ${name}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test.each(takenFrom)('%s still reads itself', async (who) => {
    const person = world.people[who]
    expect((await person.call('user/view', {})).id).toBe(person.id)
    expect((await person.call('right/view', { id: person.id })).rights.every(({ has }) => !has)).toBe(true)
    await person.call('home/view', {})
    await person.call('userMenu/list', {})
  })
})
