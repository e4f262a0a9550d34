import { randomUUID } from 'node:crypto'
import { MessageType } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { type Person, type TestServer, startTestServer } from '../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const say = (who: Person, code: string, content: string) =>
  who.call('sendMessage', { code, type: MessageType.text, content })
const rowOf = async (who: Person, code: string) =>
  (await who.call('room/list', {})).data.find((room) => room.code === code)

test('[CONV-06] an answer leaves open what the member wrote after its sender had looked', async () => {
  const { agent, cs, member, room } = await server.family()
  const answer = (seen: number, request_id: string) =>
    cs.call('sendMessage', { code: room, type: MessageType.text, content: 'yes', seen, request_id })
  await say(member, room, 'is it there?')
  const second = await say(member, room, 'and the other one?')
  const open = { waiting_since: second.created_at, unanswered: 1 }
  const id = randomUUID()
  await answer(1, id)
  expect(await rowOf(agent, room)).toMatchObject(open)
  // An event line and what was taken back ask nothing.
  const third = await say(member, room, 'a typo')
  await member.call('message/takeBack', { code: room, message_id: third.message_id })
  await answer(1, randomUUID())
  expect(await rowOf(agent, room)).toMatchObject(open)
  await answer(second.seq, randomUUID())
  const settled = { waiting_since: null, unanswered: 0 }
  expect(await rowOf(agent, room)).toMatchObject(settled)
  // A repeated request opens nothing again, and a browser that sees more than there is answers everything.
  await answer(1, id)
  expect(await rowOf(agent, room)).toMatchObject(settled)
  await say(member, room, 'thanks')
  await answer(2_000_000_000, randomUUID())
  expect(await rowOf(agent, room)).toMatchObject(settled)
})

test('[CONV-06] answers and questions of one moment: each answer leaves open what came after its `seen`', async () => {
  const { agent, cs, member, room } = await server.family()
  await say(member, room, 'hello?')
  const written = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2
        ? cs.call('sendMessage', { code: room, type: MessageType.text, content: `${n}`, seen: 1 })
        : say(member, room, `question ${n}`),
    ),
  )
  const questions = written.filter((_, n) => n % 2 === 0)
  const first = questions.sort((a, b) => a.seq - b.seq)[0]
  expect(await rowOf(agent, room)).toMatchObject({ waiting_since: first?.created_at, unanswered: 10 })
})
