import type { Answer, CallName, Input } from '@tallyroom/contract'
import { Role, TransferKind } from '@tallyroom/contract/codes'
import { one, run, sql } from '../../data/sql.ts'
import { type Person, type TestServer } from '../app.ts'

/**
 * RIGHT-02: random sets of given and taken rights in a tree of accounts. For each, the server's decisions, the flags of
 * the browser and the explanation are compared with what the requirements say, stated here a second time without any
 * code of identity/.
 */

const office = ['chat', 'chat.transaction', 'requests', 'requests.transaction', 'approvals', 'quick_replies', 'work']
const points = ['user', 'user.transaction', 'user.deposit', 'transaction_log', 'statement']
const heads = [
  'tree agent agent.transaction agent.deposit agent.edit agent.delete customer_service customer_service.add',
  'customer_service.edit customer_service.delete user.edit user.delete sr02 desk system_settings api_doc',
].flatMap((line) => line.split(' '))
/** What each role begins with. Customer service can also be given the actions in `more`. */
const begins: Record<2 | 3, string[]> = { 2: [...office, ...points, ...heads], 3: [...office, ...points] }
const more: Record<2 | 3, string[]> = { 2: [], 3: ['user.edit', 'user.delete'] }
const possible = (role: 2 | 3) => [...begins[role], ...more[role]]
/** Not rights: nobody can take these pages away. */
const always = ['home', 'my_settings', 'customer_service_chat']

const shape = {
  upper: { role: Role.agent, under: 'top' },
  lower: { role: Role.agent, under: 'upper' },
  leaf: { role: Role.agent, under: 'lower' },
  topCs: { role: Role.customerService, under: 'top' },
  upperCs: { role: Role.customerService, under: 'upper' },
  lowerCs: { role: Role.customerService, under: 'lower' },
} as const
type Name = keyof typeof shape
const names = Object.keys(shape) as Name[]

type Decision = { given: boolean; from: number | null; until: number | null }
type Decisions = Partial<Record<Name, Map<string, Decision>>>

const parentOf = (name: Name): Name | undefined => {
  const { under } = shape[name]
  return under === 'top' ? undefined : under
}

const isWithin = ({ from, until }: Decision, minute: number) => {
  if (from === null || until === null) return true
  const length = (until - from + 1440) % 1440
  return (minute - from + 1440) % 1440 < length
}

/** The accounts above that have lost a right, the nearest first. */
const losers = (all: Decisions, name: Name | undefined, right: string, minute: number): Name[] => {
  if (!name) return []
  const own = all[name]?.get(right)
  const above = losers(all, parentOf(name), right, minute)
  return own && (!own.given || !isWithin(own, minute)) ? [name, ...above] : above
}

type Expected = { has: boolean; why: string; above: Name | undefined }
const expected = (all: Decisions, name: Name, right: string, minute: number): Expected => {
  const own = all[name]?.get(right)
  const above = losers(all, parentOf(name), right, minute).at(-1)
  const no = (why: string): Expected => ({ has: false, why, above })
  if (own ? !own.given : !begins[shape[name].role].includes(right)) return no(own ? 'taken' : 'not_given')
  if (above) return no('above')
  if (own && !isWithin(own, minute)) return no('hours')
  const [page = ''] = right.split('.')
  if (page !== right && !expected(all, name, page, minute).has) return no('page')
  return { has: true, why: own ? 'given' : 'role', above }
}

/** A small generator with a seed, so that a failed set can be made again. */
const randomOf = (seed: number) => {
  let state = seed
  const next = () => {
    state = (state * 1664525 + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  return {
    below,
    chance: (share: number) => next() < share,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
  }
}
type Random = ReturnType<typeof randomOf>

const randomDecisions = ({ below, chance, pick }: Random): Decisions => {
  const all: Decisions = {}
  for (let n = below(30); n > 0; n--) {
    const name = pick(names)
    const given = chance(0.55)
    const from = below(1440)
    const hours = given && chance(0.5) ? { from, until: (from + 1 + below(1439)) % 1440 } : { from: null, until: null }
    all[name] = (all[name] ?? new Map<string, Decision>()).set(pick(possible(shape[name].role)), { given, ...hours })
  }
  return all
}

type Probe = <Result>(make: <N extends CallName>(call: N, input: Input<N>) => Result) => Result
const MISSING = 2 ** 30
const range = { start_time: '2026-01-01 00:00:00', end_time: '2026-01-02 00:00:00' }
const passwords = { password: 'secret1', password_confirmation: 'other12' }
/** A call that each right decides alone, and that changes nothing. */
const probes = (member: Person, agent: number, service: number): Record<string, Probe> => ({
  chat: (make) => make('note/list', { room_id: MISSING }),
  'chat.transaction': (make) => make('transaction/add', { member_id: MISSING, type: TransferKind.send, amount: '1' }),
  requests: (make) => make('cash/list', {}),
  'requests.transaction': (make) => make('cash/pay', { id: MISSING, amount: '1' }),
  approvals: (make) => make('approval/list', {}),
  quick_replies: (make) => make('message-template/delete', { targetID: MISSING }),
  user: (make) => make('user/list', { menu_id: 13 }),
  'user.transaction': (make) => make('user/transaction', { id: member.id, amount: '-999999' }),
  'user.edit': (make) => make('user/edit', { id: member.id, nickname: 'Same' }),
  'user.delete': (make) => make('user/delete', { id: member.id }),
  transaction_log: (make) => make('transaction/list', range),
  agent: (make) => make('user/list', { menu_id: 2 }),
  'agent.edit': (make) => make('user/edit', { id: agent, nickname: 'Same' }),
  'agent.transaction': (make) => make('user/transaction', { id: agent, amount: '-999999' }),
  'agent.delete': (make) => make('user/delete', { id: agent }),
  customer_service: (make) => make('user/list', { menu_id: 3 }),
  'customer_service.add': (make) => make('user/add', { username: 'somebody', ...passwords }),
  'customer_service.edit': (make) => make('user/edit', { id: service, nickname: 'Same' }),
  'customer_service.delete': (make) => make('user/delete', { id: service }),
  sr02: (make) => make('report/sr02', { start_date: '2026-01-01', end_date: '2026-01-02' }),
  work: (make) => make('report/work', { start_date: '2026-01-01', end_date: '2026-01-02' }),
  desk: (make) => make('deskSetting/view', {}),
  system_settings: (make) => make('setting/save', { name: 'Room' }),
})

type World = {
  server: TestServer
  top: Person
  people: Record<Name, Person>
  probesOf: Record<Name, Record<string, Probe>>
}

const makeRightWorld = async (server: TestServer): Promise<World> => {
  const { db } = server.services
  const top = await server.person({ role: Role.admin, unlimited: true })
  const people = {} as Record<Name, Person>
  for (const name of names) {
    const { role, under } = shape[name]
    people[name] = await server.person({ role, under: under === 'top' ? top : people[under] })
  }
  // Otherwise the menu leaves out these two pages.
  await top.call('setting/save', { name: 'Room', cash_requests: 1 })
  const limits = [{ type: TransferKind.gameDeduct, transfer: '5', hour: null, day: null, member: null }]
  await top.call('limit/save', { id: people.upper.id, limits })
  // The accounts that are acted on have no session and are frozen, so that nothing more happens to them.
  const frozen = async (role: 2 | 3 | 4, under: Person) => {
    const person = await server.person({ role, under })
    await run(db, sql`update accounts set status = 0 where id = ${person.id}`)
    return person
  }
  const probesOf = {} as World['probesOf']
  for (const name of names) {
    const head =
      shape[name].role === Role.agent ? people[name] : shape[name].under === 'top' ? top : people[shape[name].under]
    const [member, agent, service] = [
      await frozen(Role.member, head),
      await frozen(Role.agent, head),
      await frozen(Role.customerService, head),
    ]
    probesOf[name] = probes(member, agent.id, service.id)
  }
  return { server, top, people, probesOf }
}

const store = async ({ server, people, top }: World, all: Decisions) => {
  const rows = names.flatMap((name) =>
    [...(all[name] ?? [])].map(([right, decision]) => ({ id: people[name].id, right, ...decision })),
  )
  const column = <T>(pick: (row: (typeof rows)[number]) => T) => rows.map(pick)
  await server.services.db.transact(async (tx) => {
    await run(tx, sql`delete from account_rights`)
    await run(
      tx,
      sql`insert into account_rights (account_id, top_id, by_id, name, is_given, from_minute, until_minute)
        select u.id, ${top.id}, ${top.id}, u.name, u.given, u.from_minute, u.until_minute
        from unnest(${column(({ id }) => id)}::int[], ${column(({ right }) => right)}::text[],
          ${column(({ given }) => given)}::boolean[], ${column(({ from }) => from)}::smallint[],
          ${column(({ until }) => until)}::smallint[]) u (id, name, given, from_minute, until_minute)`,
    )
  })
}

const minuteNow = async ({ services: { db, settings } }: TestServer) => {
  const found = await one<{ minute: number }>(
    db,
    sql`select floor(extract(epoch from (now() at time zone ${settings.timeZone}::text)::time) / 60)::int as minute`,
  )
  return found?.minute ?? 0
}

/** The rights that the browser knows of: the pages and actions of its menu. */
const flagsIn = (menu: Answer<'userMenu/list'>): string[] =>
  menu
    .filter(({ name }) => !always.includes(name))
    .flatMap(({ name, action }) => [
      name,
      ...action
        .split(',')
        .filter(Boolean)
        .map((one) => `${name}.${one}`),
    ])

/** What differs in one set, for one account of it. */
const differences = async (world: World, all: Decisions, name: Name, { pick }: Random): Promise<string[]> => {
  const { server, people, probesOf } = world
  const who = people[name]
  const before = await minuteNow(server)
  const view = await who.call('right/view', {})
  const flags = flagsIn(await who.call('userMenu/list', {}))
  const tried = [1, 2, 3].map(() =>
    pick(Object.keys(probesOf[name]).filter((right) => possible(shape[name].role).includes(right))),
  )
  const answers = await Promise.all(
    tried.map(async (right) => probesOf[name][right]?.((call, input) => who.ask(call, input))),
  )
  // The minute in which hours begin or end: look again.
  if ((await minuteNow(server)) !== before) return differences(world, all, name, { pick } as Random)
  const wrong: string[] = []
  const rights = possible(shape[name].role)
  if (
    view.rights
      .map((right) => right.name)
      .toSorted()
      .join() !== rights.toSorted().join()
  )
    wrong.push('other rights')
  for (const { name: right, has, why, above } of view.rights) {
    const wanted = expected(all, name, right, before)
    if (has !== wanted.has || why !== wanted.why)
      wrong.push(`${name} ${right}: explained as ${has} (${why}), not ${wanted.has} (${wanted.why})`)
    if (flags.includes(right) !== wanted.has) wrong.push(`${name} ${right}: the menu says ${!wanted.has}`)
    const shown = wanted.above && wanted.above === shape[name].under ? `Nick ${people[wanted.above].username}` : ''
    if (above !== shown) wrong.push(`${name} ${right}: lost by ${above}, not ${shown}`)
  }
  tried.forEach((right, at) => {
    const isDenied = answers[at]?.refusal === 'access.denied'
    if (isDenied === expected(all, name, right, before).has)
      wrong.push(`${name} ${right}: the server answers ${answers[at]?.code} ${answers[at]?.message}`)
  })
  return wrong
}

/** Makes sets and returns what differs, with the number of the set. */
export const compareRightSets = async (server: TestServer, sets: number, seed = 1): Promise<string[]> => {
  const world = await makeRightWorld(server)
  const random = randomOf(seed)
  const wrong: string[] = []
  for (let set = 0; set < sets && wrong.length < 20; set++) {
    const all = randomDecisions(random)
    await store(world, all)
    for (const line of await differences(world, all, random.pick(names), random)) wrong.push(`set ${set}: ${line}`)
  }
  return wrong
}
