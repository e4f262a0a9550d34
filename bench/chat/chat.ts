import { one, sql } from '../../server/src/data/sql.ts'
import { startChild } from '../lib/child.ts'
import { coresDuring, familySeconds, ownSeconds, serverSeconds } from '../lib/cpu.ts'
import { type Load, loadHead, loadRow } from '../lib/load.ts'
import { describeMachine } from '../lib/machine.ts'
import { makePeople, topAccount } from '../lib/people.ts'
import { report } from '../lib/report.ts'
import { seconds as secondsOf, alternate } from '../lib/rounds.ts'
import { openServer, openWorkers } from '../lib/server.ts'
import { medians } from '../lib/stats.ts'
import type { ChatClient } from './client.ts'
import type { Relay } from './relay.ts'

const SECONDS = secondsOf(3)
const GROUPS = 20
/** For each group its agent, customer service, and members with a room each. */
const OPERATORS = 5
const MEMBERS = 5

const server = await openServer()
const { db } = server
const top = await topAccount(db)
const agents = await makePeople(db, { role: 2, under: [top], each: GROUPS, prefix: 'a' })
const service = await makePeople(db, { role: 3, under: agents, each: OPERATORS - 1, prefix: 's' })
const members = await makePeople(db, { role: 4, under: agents, each: MEMBERS, prefix: 'm' })
const roomsOf = (group: number) => members.filter(({ groupId }) => groupId === group).map(({ room }) => room)
const operators = [...agents, ...service]
const ofMembers = members.map(({ token, room }) => ({ token, rooms: [room] }))
/** Everyone with the rooms in sight. */
const listening = [...operators.map(({ token, groupId }) => ({ token, rooms: roomsOf(groupId) })), ...ofMembers]
/** Who answers has the conversation: of the operators of a group each writes in one of its rooms. */
const users = [
  ...operators.map(({ token, groupId }, at) => {
    const colleagues = operators.slice(0, at).filter((one) => one.groupId === groupId).length
    return { token, rooms: roomsOf(groupId).slice(colleagues, colleagues + 1) }
  }),
  ...ofMembers,
]
const listeners = OPERATORS + 1

const client = {
  ours: startChild<ChatClient>(new URL('client.ts', import.meta.url)),
  relay: startChild<ChatClient>(new URL('client.ts', import.meta.url)),
  workers: startChild<ChatClient>(new URL('client.ts', import.meta.url)),
}
const withWorkers = await openWorkers(server)
const relay = startChild<Relay>(new URL('relay.ts', import.meta.url))
type Who = keyof typeof client
const { secret } = (await (await fetch(`${server.url}/config.json`)).json()) as { secret: string }
await client.ours.ask('open', { who: 'ours', url: server.url, secret, users, listeners })
await client.workers.ask('open', { who: 'ours', url: withWorkers.url, secret, users, listeners })
await client.ours.ask('prepare', 1)
let sent = (await client.ours.ask('run', { seconds: 1 })).sent
// The relay sends packets of the size that Tallyroom delivers.
const packet = await client.ours.ask('sample', undefined)
const [, sample] = JSON.parse(packet.slice(2))
const relayUrl = await relay.ask('start', { listeners: listening, sample })
await client.relay.ask('open', { who: 'relay', url: relayUrl, users, listeners })

const meters = {
  ours: { server: () => ownSeconds(server.pid), database: () => familySeconds(server.postmaster) },
  relay: { server: () => ownSeconds(relay.pid), database: () => Number.NaN },
  workers: {
    server: () => serverSeconds(withWorkers.pid, server.postmaster),
    database: () => familySeconds(server.postmaster),
  },
}

/** One round at a rate, or without a rate as fast as possible. */
const measure = (who: Who, rate?: number) => {
  let expected = 5000
  const ownMeters = { client: () => ownSeconds(client[who].pid), ...meters[who] }
  return async (): Promise<Load> => {
    await client[who].ask('prepare', Math.ceil((rate ?? expected * 1.5) * SECONDS))
    return coresDuring(ownMeters, async () => {
      const done = await client[who].ask('run', { seconds: SECONDS, ...(rate ? { rate } : {}) })
      if (who !== 'relay') sent += done.sent
      expected = done.rate
      return { rate: done.rate, p50: done.p50, p99: done.p99 }
    })
  }
}

const most = await alternate({ ours: measure('ours'), workers: measure('workers'), relay: measure('relay') })
const [ourMost, workersMost, relayMost] = [medians(most.ours), medians(most.workers), medians(most.relay)]
const [ourHalf, relayHalf] = [Math.round(ourMost.rate / 2), Math.round(relayMost.rate / 2)]
const steady = await alternate({
  ours: measure('ours', ourHalf),
  workers: measure('workers', ourHalf),
  relay: measure('relay', ourHalf),
})
const relaySteady = await alternate({ relay: measure('relay', relayHalf) })
// Above its maximum a contestant would only show how long its queue grows.
const isInReach = relayHalf < ourMost.rate * 0.95
const ourSteady = isInReach ? await alternate({ ours: measure('ours', relayHalf) }) : undefined

const kept = await one<{ messages: number }>(db, sql`select count(*)::int as messages from messages`)
if (kept?.messages !== sent) throw new Error(`${sent} messages were answered, but ${kept?.messages} are stored`)

const [ours, workers, theirs] = [medians(steady.ours), medians(steady.workers), medians(steady.relay)]
const theirsAtHalf = medians(relaySteady.relay)
const oursAtTheirHalf = ourSteady && medians(ourSteady.ours)

const machine = describeMachine(server.postgres)
/** Messages a second for each core that the client leaves to server and database. */
const forCores = ({ rate, client: used }: Load) => rate / (machine.cores - used)

report({
  name: 'chat',
  title: 'Chat: from sending to delivered',
  machine,
  tables: [
    {
      caption: `As many as possible: ${users.length} sockets, each sends again when its last was answered, ${SECONDS} s a round`,
      rows: [
        loadHead('messages'),
        loadRow('Tallyroom', ourMost),
        loadRow('Tallyroom, two workers', workersMost),
        loadRow('relay', relayMost),
      ],
    },
    {
      caption: `At half of our maximum, ${ourHalf} a second`,
      rows: [
        loadHead('messages'),
        loadRow('Tallyroom', ours),
        loadRow('Tallyroom, two workers', workers),
        loadRow('relay', theirs),
      ],
    },
    {
      caption: `At half of the relay's maximum, ${relayHalf} a second${isInReach ? '' : ': out of our reach'}`,
      rows: [
        loadHead('messages'),
        ...(oursAtTheirHalf ? [loadRow('Tallyroom', oursAtTheirHalf)] : []),
        loadRow('relay', theirsAtHalf),
      ],
    },
  ],
  ratios: [
    { what: 'p99, both at half of our maximum: ours / relay', value: ours.p99 / theirs.p99, aim: { most: 3 } },
    {
      what: 'p99, each at half of its own maximum: ours / relay',
      value: ours.p99 / theirsAtHalf.p99,
      aim: { most: 3 },
    },
    ...(oursAtTheirHalf
      ? [
          {
            what: "p99, both at half of the relay's maximum: ours / relay",
            value: oursAtTheirHalf.p99 / theirsAtHalf.p99,
          },
        ]
      : []),
    { what: 'messages a second at most: ours / relay', value: ourMost.rate / relayMost.rate },
    { what: 'messages a second at most: two workers / one process', value: workersMost.rate / ourMost.rate },
    {
      what: 'the same, for the cores that the client leaves',
      value: forCores(workersMost) / forCores(ourMost),
    },
    { what: 'p99 at half of the maximum of one process: two workers / one', value: workers.p99 / ours.p99 },
  ],
  notes: [
    `${GROUPS} groups of ${OPERATORS} operators and ${MEMBERS} members: each message reaches the operators and the member, and is timed at all of them but its sender, from the moment it is handed to its sender's connection (waiting for an earlier one counts). Ours goes in by HTTP with envelope and session and is stored durably with its outcome before anybody hears of it; the relay takes it from the socket and stores nothing. What is delivered has the same size, about ${packet.length} bytes. Two workers: the same program with WORKERS=2, on the same database. All ${sent} messages of ours were there afterwards, and none arrived twice.`,
  ],
  rounds: { most, steady, relaySteady, ourSteady },
})

await Promise.all([client.ours.stop(), client.relay.stop(), client.workers.stop(), relay.stop()])
await withWorkers.close()
await server.close()
