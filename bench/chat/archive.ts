import { one, sql } from '../../server/src/data/sql.ts'
import { type Child, startChild } from '../lib/child.ts'
import { coresDuring, familySeconds, ownSeconds } from '../lib/cpu.ts'
import { type Load, loadHead, loadRow } from '../lib/load.ts'
import { describeMachine } from '../lib/machine.ts'
import { makePeople, topAccount } from '../lib/people.ts'
import { report } from '../lib/report.ts'
import { isQuick, seconds as secondsOf, alternate } from '../lib/rounds.ts'
import { openServer } from '../lib/server.ts'
import { medians } from '../lib/stats.ts'
import type { ChatClient } from './client.ts'
import { startEjabberd } from './ejabberd.ts'
import type { Relay } from './relay.ts'

// 100 conversations among 10,000 rooms, compared with ejabberd, which archives, and a relay, which stores nothing.
const CONVERSATIONS = 100
const ROOMS = isQuick ? 1000 : 10_000
const SECONDS = secondsOf(3)
/** 2,000 messages a minute: a busy platform. */
const CALM = 2000 / 60
const CALM_SECONDS = secondsOf(10)
const LONGEST_P99 = 250

const server = await openServer()
const { db } = server
const top = await topAccount(db)
const agents = await makePeople(db, { role: 2, under: [top], each: CONVERSATIONS, prefix: 'a' })
const members = await makePeople(db, { role: 4, under: agents, each: ROOMS / CONVERSATIONS, prefix: 'm' })
const talks = agents.map((agent) => ({ agent, member: members.find(({ groupId }) => groupId === agent.groupId) }))
const users = talks.flatMap(({ agent, member }) => {
  const rooms = [member?.room ?? '']
  return [
    { token: agent.token, rooms },
    { token: member?.token ?? '', rooms },
  ]
})
// ejabberd and the relay address rooms and users by name.
const theirUsers = users.map((_, at) => ({ token: `u${at}`, rooms: [`room${Math.floor(at / 2)}`] }))

const names = ['ours', 'ejabberd', 'relay'] as const
type Who = (typeof names)[number]
const startClient = () => startChild<ChatClient>(new URL('client.ts', import.meta.url))
const client: Record<Who, Child<ChatClient>> = { ours: startClient(), ejabberd: startClient(), relay: startClient() }
const relay = startChild<Relay>(new URL('relay.ts', import.meta.url))
const ejabberd = await startEjabberd(theirUsers.map(({ token }) => token))
const { secret } = (await (await fetch(`${server.url}/config.json`)).json()) as { secret: string }
await client.ours.ask('open', { who: 'ours', url: server.url, secret, users, listeners: 2 })
await client.ours.ask('prepare', 1)
let sent = (await client.ours.ask('run', { seconds: 1 })).sent
const [, sample] = JSON.parse((await client.ours.ask('sample', undefined)).slice(2))
const relayUrl = await relay.ask('start', { listeners: users, sample })
await client.relay.ask('open', { who: 'relay', url: relayUrl, users, listeners: 2 })
await client.ejabberd.ask('open', { who: 'ejabberd', url: ejabberd.url, users: theirUsers, listeners: 2 })

const meters: Record<Who, { server: () => number; database: () => number }> = {
  ours: { server: () => ownSeconds(server.pid), database: () => familySeconds(server.postmaster) },
  ejabberd: { server: () => ownSeconds(ejabberd.pid), database: () => familySeconds(ejabberd.postmaster) },
  relay: { server: () => ownSeconds(relay.pid), database: () => Number.NaN },
}
const measure = (who: Who, { rate, seconds = SECONDS }: { rate?: number; seconds?: number } = {}) => {
  let expected = 5000
  const ownMeters = { client: () => ownSeconds(client[who].pid), ...meters[who] }
  return async (): Promise<Load> => {
    await client[who].ask('prepare', Math.ceil((rate ?? expected * 1.5) * seconds))
    return coresDuring(ownMeters, async () => {
      const done = await client[who].ask('run', { seconds, ...(rate ? { rate } : {}) })
      if (who === 'ours') sent += done.sent
      expected = done.rate
      return { rate: done.rate, p50: done.p50, p99: done.p99 }
    })
  }
}
const all = (given: (who: Who) => ReturnType<typeof measure>) => ({
  ours: given('ours'),
  ejabberd: given('ejabberd'),
  relay: given('relay'),
})

const most = await alternate(all((who) => measure(who)))
// After the load: a few hundred messages would measure how a program that has just started compiles itself.
const calm = await alternate(all((who) => measure(who, { rate: CALM, seconds: CALM_SECONDS })))

/** Raises the rate until one message in a hundred takes too long. */
const climb = async (who: Who): Promise<Load> => {
  const start = medians(most[who]).rate
  // The others' turns take minutes, and what was silent for so long is cold.
  await measure(who, { rate: Math.round(start * 0.5) })()
  let sustained: Load | undefined
  for (let share = 0.5; share < 3; share += 0.1) {
    const load = await measure(who, { rate: Math.round(start * share) })()
    if (load.p99 > LONGEST_P99) break
    sustained = load
  }
  return sustained ?? { ...medians(most[who]), rate: 0 }
}
const climbs: Record<Who, Load[]> = { ours: [], ejabberd: [], relay: [] }
for (let n = 0; n < (isQuick ? 1 : 3); n++)
  for (const who of names) {
    climbs[who].push(await climb(who))
    console.log(`climb ${n + 1}  ${who}  ${JSON.stringify(climbs[who].at(-1))}`)
  }

const kept = await one<{ messages: number }>(db, sql`select count(*)::int as messages from messages`)
if (kept?.messages !== sent) throw new Error(`${sent} messages were answered, but ${kept?.messages} are stored`)

const titles: Record<Who, string> = { ours: 'Tallyroom', ejabberd: 'ejabberd', relay: 'relay' }
const table = (caption: string, found: Record<Who, Load[]>) => ({
  caption,
  rows: [loadHead('messages'), ...names.map((who) => loadRow(titles[who], medians(found[who])))],
})
report({
  name: 'archive',
  title: 'Chat: beside ejabberd with its archive',
  machine: describeMachine(server.postgres),
  tables: [
    table(`2,000 messages a minute`, calm),
    table(`As many as possible: ${users.length} sockets, each sends again when its last was answered`, most),
    table(`As many as they take with a p99 below ${LONGEST_P99} ms`, climbs),
  ],
  ratios: [
    {
      what: 'messages a second at most: ours / ejabberd',
      value: medians(most.ours).rate / medians(most.ejabberd).rate,
      aim: { least: 1 },
    },
    {
      what: `messages a second with p99 below ${LONGEST_P99} ms: ours / ejabberd`,
      value: medians(climbs.ours).rate / medians(climbs.ejabberd).rate,
      aim: { least: 1 },
    },
    { what: 'p99 at 2,000 a minute: ours / ejabberd', value: medians(calm.ours).p99 / medians(calm.ejabberd).p99 },
  ],
  notes: [
    `${CONVERSATIONS} conversations of two people, in ours among ${ROOMS} rooms. A message is timed at the other one, from the moment it is handed to its sender's connection. Ours goes in by HTTP with envelope and session; it is stored with its outcome, its room's new state and its reader's mark before anybody receives it. ejabberd is Debian's, with rooms for many (XEP-0045) of two people and its archive on for all (XEP-0313), over websockets, on the same PostgreSQL with the same settings in a cluster of its own: it keeps one row for each message, and has no rooms besides those of the conversations. The relay stores nothing.`,
  ],
  rounds: { most, calm, climbs },
})

await Promise.all([...names.map((who) => client[who].stop()), relay.stop()])
await Promise.all([ejabberd.close(), server.close()])
