import { defaultRules } from '@tallyroom/contract/desk/rules'
import { makeClient } from '../../e2e/support/client.ts'
import { startChild } from '../lib/child.ts'
import { makePeople, type Parent, topAccount } from '../lib/people.ts'
import { comparePairs } from '../lib/rounds.ts'
import { openServer } from '../lib/server.ts'
import type { ChatClient } from './client.ts'

// `npx tsx bench/chat/assigned.ts [pairs]`: the most messages a second of groups whose desk shares out conversations and
// has opening hours with texts, and of groups without, in pairs of rounds that follow each other on one server.
const SECONDS = 3
const GROUPS = 20
/** For each group its agent and customer service, and as many members. */
const OPERATORS = 5
const pairs = Number(process.argv[2] ?? 15)

const server = await openServer()
const { secret } = (await (await fetch(`${server.url}/config.json`)).json()) as { secret: string }

const open = async (top: Parent, prefix: string, hasDesk: boolean) => {
  const agents = await makePeople(server.db, { role: 2, under: [top], each: GROUPS, prefix: `${prefix}a` })
  const service = await makePeople(server.db, { role: 3, under: agents, each: OPERATORS - 1, prefix: `${prefix}s` })
  const members = await makePeople(server.db, { role: 4, under: agents, each: OPERATORS, prefix: `${prefix}m` })
  const operators = [...agents, ...service]
  if (hasDesk) {
    const day: [number, number][] = [[0, 1440]]
    for (const { token } of agents) {
      const agent = makeClient(server.url, token)
      // The answers come whenever the round is: a conversation that goes back to the queue would refuse its operator.
      await agent.call('deskSetting/save', { ...defaultRules, assign: 'least', answer_s: 0 })
      await agent.call('deskHours/save', {
        hours_on: true,
        time_zone: null,
        week: [day, day, day, day, day, day, day],
        days: [],
        greeting: { en: 'Welcome' },
        away: { en: 'We open at {opens}' },
        default_language: 'en',
      })
    }
    for (const { token } of operators) await makeClient(server.url, token).call('desk/state', { state: 'on' })
  }
  // Who answers has the conversation: of the operators of a group each writes in one of its rooms.
  const users = [
    ...operators.map(({ token, groupId }, at) => {
      const colleagues = operators.slice(0, at).filter((one) => one.groupId === groupId).length
      const room = members.filter((member) => member.groupId === groupId)[colleagues]?.room
      return { token, rooms: room ? [room] : [] }
    }),
    ...members.map(({ token, room }) => ({ token, rooms: [room] })),
  ]
  const client = startChild<ChatClient>(new URL('client.ts', import.meta.url))
  await client.ask('open', { who: 'ours', url: server.url, secret, users, listeners: OPERATORS + 1 })
  let expected = 5000
  const rate = async (seconds = SECONDS) => {
    await client.ask('prepare', Math.ceil(expected * 1.5 * seconds))
    const done = await client.ask('run', { seconds })
    expected = done.rate
    return done.rate
  }
  // In the first round each operator answers, and so owns the conversation.
  await rate(1)
  return { rate, stop: () => client.stop() }
}

const top = await topAccount(server.db)
const off = await open(top, 'o', false)
const on = await open(top, 'd', true)
await off.rate()
await on.rate()
const { first, second, ratio } = await comparePairs(pairs, on.rate, off.rate)
console.log(`${Math.round(first)} messages a second with assignment and hours, ${Math.round(second)} without: ${ratio}`)
await Promise.all([off.stop(), on.stop()])
await server.close()
process.exit()
