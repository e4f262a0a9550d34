import { MessageType, Role, RoomStatus } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { botFamily, botServer, contents, leasesEnd, roomFacts, roomOf, talk } from '../../testing/fakes/ai.ts'
import type { TestServer } from '../../testing/app.ts'
import { type Endpoint, saying } from '../../testing/fakes/endpoint.ts'
import { decideReply } from './decide.ts'
import { applyDecision, startBot } from './responder.ts'
import { claimJobs } from './work.ts'

let server: TestServer
let endpoint: Endpoint
let bots: Awaited<ReturnType<typeof botServer>>
beforeAll(async () => {
  bots = await botServer()
  ;({ house: server, endpoint } = bots)
})

describe('[ROOM-09] answers and people at the same time', () => {
  test('an answer after Recover is refused, also when the room is back with the bot', async () => {
    const { agent, member, code, room_id } = await botFamily(server)
    await member.call('sendMessage', { code, type: MessageType.text, content: 'one' })
    const early = await bots.take()
    await agent.call('room/recover', { room_id })
    expect(await applyDecision(bots.parts(), early, { say: 'late' })).toBe(false)
    await agent.call('room/giveToBot', { room_id })
    expect(await applyDecision(bots.parts(), early, { say: 'later' })).toBe(false)
    // Unanswered messages are queued again under the new epoch.
    const again = await bots.take()
    expect([again.fromSeq, again.epoch]).toEqual([early.fromSeq, early.epoch + 2])
    expect(await applyDecision(bots.parts(), again, { say: 'in time' })).toBe(true)
    expect(contents(await talk(agent, code))).toEqual(['one', 'took_over', 'given_to_bot', 'in time'])
  })

  test('a question that the bot handed over is not asked again when the room is given back', async () => {
    const { agent, member, code, room_id } = await botFamily(server)
    await member.call('sendMessage', { code, type: MessageType.text, content: 'a person, please' })
    expect(await applyDecision(bots.parts(), await bots.take(), { call: 'asked_for_people' })).toBe(true)
    await agent.call('room/giveToBot', { room_id, settle: 1 })
    expect(await claimJobs(server.services.db, 8, 60)).toEqual([])
    await member.call('sendMessage', { code, type: MessageType.text, content: 'and your hours?' })
    expect(await bots.take()).toMatchObject({ fromSeq: 4, toSeq: 4 })
    await agent.call('room/recover', { room_id })
  })

  test('while the member waits for an answer that the bot will not give, the room is not handed to it in passing', async () => {
    const { agent, member, code, room_id } = await botFamily(server)
    await member.call('sendMessage', { code, type: MessageType.text, content: 'where are my points?' })
    await applyDecision(bots.parts(), await bots.take(), { call: 'bot_did_not_know' })
    expect((await agent.ask('room/giveToBot', { room_id })).refusal).toBe('room.still_waits')
    expect(await roomFacts(agent, code)).toMatchObject({
      status: RoomStatus.shown,
      waiting_since: expect.any(String),
      unanswered: 1,
    })
    await agent.call('room/giveToBot', { room_id, settle: 1 })
    // Nobody waits there uncounted: somebody has said that no answer is needed, and that is written down.
    expect(await roomFacts(agent, code)).toMatchObject({ status: RoomStatus.ai, waiting_since: null, unanswered: 0 })
    const { asides } = await agent.call('room/enter', { code })
    expect(asides).toMatchObject([{ kind: 'settled', nickname: `Nick ${agent.username}` }])
  })

  test('`settle` ends no wait that the bot will answer', async () => {
    const { agent, member, code, room_id } = await botFamily(server)
    await member.call('sendMessage', { code, type: MessageType.text, content: 'one' })
    await applyDecision(bots.parts(), await bots.take(), { call: 'bot_did_not_know' })
    await member.call('sendMessage', { code, type: MessageType.text, content: 'two' })
    await agent.call('room/giveToBot', { room_id, settle: 1 })
    expect(await roomFacts(agent, code)).toMatchObject({ status: RoomStatus.ai, unanswered: 2 })
    expect(await bots.take()).toMatchObject({ fromSeq: 3 })
    await agent.call('room/recover', { room_id })
  })

  test('[CONV-10] what was taken back meanwhile is not answered, and a line is neither quoted nor taken back', async () => {
    const { agent, member, code, room_id } = await botFamily(server)
    const { message_id } = await member.call('sendMessage', {
      code,
      type: MessageType.text,
      content: 'my number is 4471',
    })
    const early = await bots.take()
    await member.call('message/takeBack', { code, message_id })
    expect(await applyDecision(bots.parts(), early, { say: 'you wrote 4471' })).toBe(false)
    const again = await bots.take()
    const decision = await decideReply(
      { ...bots.parts(), log: server.services.log },
      again,
      new AbortController().signal,
    )
    expect(decision).toEqual({ skip: true })
    expect(await applyDecision(bots.parts(), again, decision)).toBe(true)
    expect(contents(await talk(agent, code))).toEqual([''])
    await agent.call('room/recover', { room_id })
    const line = (await talk(agent, code)).at(-1)?.message_id ?? ''
    expect((await agent.ask('message/takeBack', { code, message_id: line })).refusal).toBe('message.not_yours')
    const quoting = { code, type: MessageType.text, content: 'x', quote: line }
    expect((await agent.ask('sendMessage', quoting)).refusal).toBe('message.quote_not_found')
  })

  test('60 races of Recover and an answer: no answer after Recover', async () => {
    const { agent, member, code, room_id } = await botFamily(server)
    for (let n = 0; n < 60; n++) {
      await member.call('sendMessage', { code, type: MessageType.text, content: String(n) })
      const job = await bots.take()
      const recovering = agent.call('room/recover', { room_id })
      // Sometimes one is a little earlier, sometimes the other.
      await new Promise((resolve) => setTimeout(resolve, n % 12))
      const wrote = await applyDecision(bots.parts(), job, { say: `answer ${n}` })
      await recovering
      const [last, before] = (await talk(agent, code)).toReversed()
      expect(last?.content).toBe('took_over')
      expect(before?.bot).toBe(wrote ? 1 : 0)
      await agent.call('room/giveToBot', { room_id })
      await run(server.services.db, sql`delete from ai_work`)
    }
  }, 60_000)

  test('two responders at once: each of 16 messages is answered once', async () => {
    const { agent } = await botFamily(server)
    const members = await Promise.all(
      Array.from({ length: 16 }, () => server.person({ role: Role.member, under: agent })),
    )
    const rooms = await Promise.all(members.map(roomOf))
    endpoint.answer = saying((asked) => `to ${asked.body.messages.at(-1)?.content}`)
    const asked = endpoint.asked.length
    const stops = [startBot(bots.parts(), 5), startBot(bots.parts(), 5), startBot(bots.parts(), 5)]
    await Promise.all(
      members.map((one, n) =>
        one.call('sendMessage', { code: rooms[n]?.code ?? '', type: MessageType.text, content: `q${n}` }),
      ),
    )
    await bots.quiet()
    await Promise.all(stops.map((stop) => stop()))
    for (const [n, one] of members.entries())
      expect(contents(await talk(one, rooms[n]?.code ?? ''))).toEqual([`q${n}`, `to q${n}`])
    const questions = endpoint.questions().slice(asked)
    expect(questions).toHaveLength(members.length)
    expect(new Set(questions)).toEqual(new Set(members.map((_, n) => `q${n}`)))
  }, 60_000)

  test('after a process died, another one answers once, and the dead one’s answer is refused', async () => {
    const { agent, member, code } = await botFamily(server)
    await member.call('sendMessage', { code, type: MessageType.text, content: 'anyone?' })
    const dead = await bots.take()
    expect(await claimJobs(server.services.db, 8, 60)).toEqual([])
    await leasesEnd(server)
    const living = await bots.take()
    expect(living).toMatchObject({ fromSeq: dead.fromSeq, tries: 2 })
    expect(await applyDecision(bots.parts(), living, { say: 'here' })).toBe(true)
    expect(await applyDecision(bots.parts(), dead, { say: 'me too' })).toBe(false)
    expect(await applyDecision(bots.parts(), living, { say: 'again' })).toBe(false)
    expect(contents(await talk(agent, code))).toEqual(['anyone?', 'here'])
  })

  test('a job that killed three processes goes to people', async () => {
    const { agent, member, code } = await botFamily(server)
    await member.call('sendMessage', { code, type: MessageType.text, content: 'boom' })
    for (let n = 0; n < 3; n++) {
      await bots.take()
      await leasesEnd(server)
    }
    await bots.answering(true)
    await bots.quiet()
    await bots.answering(false)
    expect(contents(await talk(agent, code))).toEqual(['boom', 'bot_failed'])
  })

  test('a stopping process releases its job untried, and messages that arrive meanwhile are the next job', async () => {
    const { agent, member, code } = await botFamily(server)
    let begun = () => {}
    const asking = new Promise<void>((resolve) => {
      begun = resolve
    })
    endpoint.answer = () => begun()
    await bots.answering(true)
    await member.call('sendMessage', { code, type: MessageType.text, content: 'one' })
    await asking
    await bots.answering(false)
    const job = await bots.take()
    expect(job).toMatchObject({ fromSeq: 1, toSeq: 1, tries: 1 })
    await member.call('sendMessage', { code, type: MessageType.text, content: 'two' })
    expect(await applyDecision(bots.parts(), job, { say: 'to one' })).toBe(true)
    const next = await bots.take()
    expect(next).toMatchObject({ fromSeq: 2, toSeq: 2, tries: 1 })
    expect(await applyDecision(bots.parts(), next, { say: 'to two' })).toBe(true)
    expect(contents(await talk(agent, code))).toEqual(['one', 'two', 'to one', 'to two'])
    await bots.quiet()
  })
})
