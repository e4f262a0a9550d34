import { createPublicKey, createVerify, randomBytes } from 'node:crypto'
import { MessageType, Role, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { many, run, sql } from '../../data/sql.ts'
import { isPushService } from '../../chat/push/subscription.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { type ReceivedPush, startPushService } from '../../testing/fakes/push-service.ts'

let pushes: Awaited<ReturnType<typeof startPushService>>
let server: TestServer
beforeAll(async () => {
  // The bot would hand its rooms to people during the tests.
  server = await startTestServer({ AI_ANSWERS: '0' })
  pushes = await startPushService(server)
})
const subscribed = (person: Person) => pushes.subscribed(person)
const say = (person: Person, code: string, content = 'a secret of mine') =>
  person.call('sendMessage', { code, type: MessageType.text, content })

const rowsOf = ({ id }: Person) =>
  many<{ open: boolean; tries: number; told_seq: number; room_id: number }>(
    server.services.db,
    sql`select w.due_at is not null as open, w.tries, w.told_seq, w.room_id from pushes w
      join push_subscriptions p on p.id = w.subscription_id where p.account_id = ${id}`,
  )
/** Makes queued pushes due, except those in progress, which would be sent twice. */
const hurry = ({ id }: Person) =>
  run(
    server.services.db,
    sql`update pushes w set due_at = now() - interval '1 second' from push_subscriptions p
      where p.id = w.subscription_id and p.account_id = ${id} and w.due_at between now() and now() + interval '50 seconds'`,
  )
/** Waits until messages are queued as pushes, makes them due, and sends until none is left. */
const delivered = async (person: Person, noted = true) => {
  if (noted) await vi.waitFor(async () => expect((await rowsOf(person)).some(({ open }) => open)).toBe(true))
  await vi.waitFor(
    async () => {
      await hurry(person)
      await server.services.push.send()
      expect((await rowsOf(person)).every(({ open }) => !open)).toBe(true)
    },
    { timeout: 15_000, interval: 50 },
  )
}
/** Waits until an earlier message has been queued for a witness, and therefore for everybody. */
const passed = async (witness: Person) => delivered(witness)
const isSubscribed = async (person: Person) => (await person.call('push/view', {})).subscribed

describe('a push', () => {
  test('brings the room’s name to accounts without an open page, encrypted for the browser and signed by us', async () => {
    const { agent, member, room } = await server.family()
    const browser = await subscribed(agent)
    expect(await isSubscribed(agent)).toBe(true)
    await say(member, room)
    await delivered(agent)
    const { room_id } = (await agent.call('room/enter', { friend_id: member.id })).room
    const url = `/chat/messaging/${room_id}/${member.id}/${room}`
    expect(browser.read()).toEqual([{ title: `Nick ${member.username}`, body: 'New message', url, tag: room }])

    const { headers, body } = browser.delivered()[0] as ReceivedPush
    expect(body.includes('secret')).toBe(false)
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' })
    expect(headers.topic).not.toContain(room)
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
    expect(key).toBe((await agent.call('push/view', {})).public_key)
    const [head, claims = '', signature = ''] = token.split('.')
    const point = Buffer.from(key, 'base64url')
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    }
    const verify = createVerify('SHA256').update(`${head}.${claims}`)
    const signer = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
    expect(verify.verify(signer, signature, 'base64url')).toBe(true)
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ aud: pushes.origin })
  })

  test('is one for all messages of a moment, and none for read, answered or own messages', async () => {
    const { agent, cs, member, room } = await server.family()
    const [ofAgent, ofCs, ofMember] = [await subscribed(agent), await subscribed(cs), await subscribed(member)]
    for (let n = 0; n < 5; n++) await say(member, room)
    await delivered(agent)
    await delivered(cs)
    expect([ofAgent, ofCs, ofMember].map((browser) => browser.read().length)).toEqual([1, 1, 0])

    const { message_id } = await say(member, room)
    await cs.call('readMessage', { code: room, message_id })
    await delivered(agent)
    expect([ofAgent, ofCs].map((browser) => browser.read().length)).toEqual([2, 1])

    await say(member, room)
    await vi.waitFor(async () => expect((await rowsOf(cs)).some(({ open }) => open)).toBe(true))
    await say(agent, room)
    await delivered(member)
    await delivered(cs, false)
    expect([ofAgent, ofCs].map((browser) => browser.read().length)).toEqual([2, 1])
    expect(ofMember.read()).toMatchObject([{ body: 'New message', url: '/m', tag: room }])
  })

  test('[CONV-10] is none for what was taken back before it is sent', async () => {
    const { agent, member, room } = await server.family()
    const browser = await subscribed(agent)
    const { message_id } = await say(member, room)
    await vi.waitFor(async () => expect((await rowsOf(agent)).some(({ open }) => open)).toBe(true))
    await member.call('message/takeBack', { code: room, message_id })
    await delivered(agent, false)
    expect(browser.read()).toEqual([])
  })

  test('goes to the room’s owner, to nobody in the group while the bot has it, and also for points', async () => {
    const { top, agent, cs, member, room } = await server.family()
    const [ofAgent, ofCs, ofMember] = [await subscribed(agent), await subscribed(cs), await subscribed(member)]
    await cs.call('desk/take', { code: room })
    await say(member, room)
    await delivered(cs)
    expect([ofAgent, ofCs].map((browser) => browser.read().length)).toEqual([0, 1])
    await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
    await delivered(member)
    expect(ofMember.read()).toHaveLength(1)
    // A name that the receiver sees masked is masked here too.
    await cs.call('desk/release', { code: room })
    await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
    await agent.call('user/edit', { id: member.id, nickname: member.username })
    await run(server.services.db, sql`update pushes set sent_at = null`)
    await say(member, room)
    await delivered(agent)
    await delivered(cs, false)
    expect(ofAgent.read()[0]?.title).not.toContain(member.username)
    await run(server.services.db, sql`update rooms set status = 3 where code = ${room}`)
    const before = ofCs.read().length
    await say(member, room)
    const other = await server.person({ role: Role.member, under: agent })
    await say(other, (await other.call('room/list', {})).data[0]?.code ?? '')
    await passed(agent)
    await delivered(cs, false)
    expect(ofCs.read().filter(({ tag }) => tag === room)).toHaveLength(before)
  })

  test('is retried while the service fails, and dropped when the subscription is gone', async () => {
    const { agent, member, room } = await server.family()
    const browser = await subscribed(agent)
    pushes.state.status = 503
    await say(member, room)
    await vi.waitFor(async () => expect((await rowsOf(agent)).some(({ open }) => open)).toBe(true))
    await vi.waitFor(
      async () => {
        await hurry(agent)
        await server.services.push.send()
        expect((await rowsOf(agent))[0]).toMatchObject({ open: true, tries: 2 })
      },
      { interval: 50 },
    )
    pushes.state.status = 201
    await delivered(agent)
    expect(browser.read().at(-1)).toMatchObject({ tag: room })
    expect((await rowsOf(agent))[0]?.told_seq).toBe(1)

    pushes.state.status = 410
    await run(server.services.db, sql`update pushes set sent_at = null`)
    await say(member, room)
    await delivered(agent)
    pushes.state.status = 201
    expect(await isSubscribed(agent)).toBe(false)
    expect(await rowsOf(agent)).toEqual([])
  })

  test('[S13] needs an active session: none after a sign-out, a freeze, or an end from elsewhere', async () => {
    const { agent, cs, member, room } = await server.family()
    const [ofAgent, ofCs, ofMember] = [await subscribed(agent), await subscribed(cs), await subscribed(member)]
    await say(member, room)
    await vi.waitFor(async () => expect((await rowsOf(cs)).some(({ open }) => open)).toBe(true))
    await agent.call('user/delete', { id: cs.id })
    await delivered(agent)
    expect([ofAgent, ofCs].map((browser) => browser.read().length)).toEqual([1, 0])
    const [session] = (await agent.call('session/listOf', { id: member.id })).data
    await agent.call('session/endOf', { id: member.id, session_id: session?.id ?? '' })
    await agent.call('logout', {})
    const left = await many(
      server.services.db,
      sql`select 1 as row from push_subscriptions where account_id = any(${[agent.id, cs.id, member.id]}::int[])`,
    )
    expect([left, ofMember.read()]).toEqual([[], []])
  })

  test('goes to one account in each browser and one browser of a session, and to none that unsubscribed', async () => {
    const { agent, cs } = await server.family()
    const browser = await subscribed(agent)
    await cs.call('push/subscribe', browser.subscription)
    expect([await isSubscribed(agent), await isSubscribed(cs)]).toEqual([false, true])
    await cs.call('push/unsubscribe', {})
    expect(await isSubscribed(cs)).toBe(false)
    await subscribed(agent)
    await subscribed(agent)
    const mine = sql`select 1 as row from push_subscriptions where account_id = ${agent.id}`
    expect(await many(server.services.db, mine)).toHaveLength(1)
  })

  test('[S12] [S19] stores its address sealed, and accepts push services only', async () => {
    const { agent } = await server.family()
    const { subscription } = await subscribed(agent)
    const kept = await many(server.services.db, sql`select p::text as row from push_subscriptions p`)
    expect(JSON.stringify(kept)).not.toContain(subscription.endpoint)
    expect(JSON.stringify(kept)).not.toContain(subscription.auth)
    const bad = [
      { ...subscription, endpoint: 'https://push.example.com/x' },
      { ...subscription, endpoint: 'https://10.0.0.1/x' },
      { ...subscription, endpoint: 'https://evilfcm.googleapis.com/x' },
      { ...subscription, p256dh: Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url') },
    ]
    for (const one of bad) expect(await agent.ask('push/subscribe', one)).toBeRefusal('push.not_a_push_service')
    expect(await isSubscribed(agent)).toBe(true)
  })
})

test.each([
  ['https://fcm.googleapis.com/fcm/send/x', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/x', true],
  ['https://web.push.apple.com/x', true],
  ['https://wns2-sg2p.notify.windows.com/w/?token=x', true],
  ['https://push.mine.example/x', true],
  ['http://fcm.googleapis.com/x', false],
  ['https://fcm.googleapis.com:22/x', false],
  ['https://user:pass@fcm.googleapis.com/x', false],
  ['https://fcm.googleapis.com.evil.example/x', false],
  ['https://localhost/x', false],
  ['https://[::1]/x', false],
  ['https://169.254.169.254/x', false],
])('[S19] %s: %s', (endpoint, is) => expect(isPushService(endpoint, ['mine.example'])).toBe(is))
