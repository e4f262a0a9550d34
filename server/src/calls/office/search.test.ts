import type { Answer } from '@tallyroom/contract'
import { AccountStatus, Role, RoomStatus, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { text } from '../../testing/rooms.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const hits = async (person: Person, wanted: string) =>
  (await person.call('search/messages', { text: wanted })).data.map(({ before, hit, after }) =>
    [before, hit, after].join(''),
  )

/** Inserts old texts directly into a room: numbers a second apart, so that a search finds the last one first. */
const fill = (code: string, count: number, content: string) =>
  run(
    server.services.db,
    sql`with room as (select * from rooms where code = ${code}),
        made as (insert into messages (room_id, seq, top_id, group_id, message_id, version, type, content, from_partner, created_at)
          select id, n, top_id, group_id, gen_random_uuid(), n, 1, ${content}::text || n, true, '2020-01-01'::timestamptz + n * interval '1 second'
          from room, generate_series(1, ${count}::int) n)
      update rooms set last_seq = ${count}, version = ${count} where code = ${code}`,
  )

describe('search/messages', () => {
  test.each([
    ['Traditional Chinese', '你好，我的點數到了嗎？', '點數'],
    ['Simplified Chinese', '请问我的点数到了吗', '数到'],
    ['Thai', 'สวัสดีค่ะ แต้มเข้าแล้วหรือยัง', 'เข้าแล้ว'],
    ['Thai with invisible breaks', 'แต้ม\u200Bเข้า\u200Bแล้ว', 'แต้มเข้า'],
    ['Burmese', 'မင်္ဂလာပါ ကျွန်တော့်အမှတ်ရောက်ပြီလား', 'အမှတ်'],
    ['Tamil', 'வணக்கம், என் இருப்பு என்ன?', 'இருப்பு'],
    ['Bengali', 'আমার ব্যালেন্স কত?', 'ব্যালেন্স'],
    ['Russian, in any case', 'Когда придут БАЛЛЫ?', 'баллы'],
    ['any width', 'ＴＸ－１２３ sent', 'tx-123'],
    ['letters that patterns mean something by', '100% sure_thing \\ done', '0% sure_t'],
  ])('finds %s inside a sentence', async (_, content, wanted) => {
    const { agent, cs, member, room } = await server.family()
    await member.call('sendMessage', text(room, content))
    await member.call('sendMessage', text(room, 'something else'))
    for (const person of [agent, cs]) expect(await hits(person, wanted)).toEqual([content])
    expect(await hits(agent, 'nowhere')).toEqual([])
  })

  test('a hit has its place; newest first, hidden rooms included', async () => {
    const { agent, member, room } = await server.family()
    const other = await server.person({ role: Role.member, under: agent })
    const theirs = (await other.call('room/list', {})).data[0]?.code ?? ''
    const first = await member.call('sendMessage', text(room, 'the slip one'))
    const second = await agent.call('sendMessage', text(theirs, 'the slip two'))
    await agent.call('room/changeStatus', { code: theirs, status: RoomStatus.hidden })
    const { data, next, looked_to } = await agent.call('search/messages', { text: 'SLIP' })
    expect(data).toMatchObject([
      { message_id: second.message_id, code: theirs, member_id: other.id, seq: 1, is_self: true },
      { message_id: first.message_id, code: room, seq: 1, is_self: false, before: 'the ', hit: 'slip', after: ' one' },
    ])
    expect(data[1]).toMatchObject({ name: `Nick ${member.username}`, username: member.username, member_id: member.id })
    expect([next, looked_to]).toEqual([null, null])
  })

  test('[S4] finds nothing of other groups, and no images or points', async () => {
    const { top, agent, member, room } = await server.family()
    const sub = await server.person({ role: Role.agent, under: agent })
    await member.call('sendMessage', text(room, 'secret word'))
    await agent.call('transaction/add', {
      member_id: member.id,
      type: TransferKind.send,
      amount: '12.5',
      remark: 'secret',
    })
    const upline = (await agent.call('room/enter', { friend_id: top.id })).room.code
    await top.call('sendMessage', text(upline, 'secret word of the top'))
    const stranger = await server.family()
    expect(await hits(agent, 'secret')).toEqual(['secret word'])
    expect(await hits(top, 'secret')).toEqual(['secret word of the top'])
    for (const person of [sub, stranger.agent, stranger.cs]) expect(await hits(person, 'secret')).toEqual([])
    expect(await hits(agent, '12.5')).toEqual([])
    expect(await member.ask('search/messages', { text: 'secret' })).toBeRefusal('access.denied')
  })

  test('continues further back, page by page and slice by slice, without gaps or duplicates', async () => {
    const { agent, room } = await server.family()
    await fill(room, 120_000, 'number ')
    const pages: Answer<'search/messages'>[] = []
    const all = async (wanted: string) => {
      pages.length = 0
      let before: string | undefined
      do {
        const page = await agent.call('search/messages', { text: wanted, ...(before ? { before } : {}) })
        pages.push(page)
        before = page.next ?? undefined
      } while (before && pages.length < 80)
      return pages.flatMap(({ data }) => data.map(({ seq }) => seq))
    }
    // One hit among 120,000 messages: two slices, and nothing after the second.
    expect(await all('number 77')).toHaveLength(1 + 10 + 100 + 1000)
    expect(await all('number 119999')).toEqual([119_999])
    expect(pages.map(({ data, next }) => [data.length, next === null])).toEqual([
      [1, false],
      [0, true],
    ])
    expect(pages[0]?.looked_to).toBe('2020-01-01T05:33:21.000000Z')
    expect(await all('number 7000')).toEqual([...Array.from({ length: 10 }, (_, n) => 70_009 - n), 7000])
  }, 60_000)

  test.each(['', '   ', 'x'.repeat(65)])('%j is refused as a search', async (wanted) => {
    const { agent } = await server.family()
    expect(await agent.ask('search/messages', { text: wanted })).toBeRefusal('request.invalid')
  })

  test.each(['x', '2020-01-01', "2020-01-01T00:00:00.000000Z/1/1'--", '2026-02-30T00:00:00.000000Z/1/1'])(
    'an invalid cursor (%s) is refused',
    async (before) => {
      const { agent } = await server.family()
      expect(await agent.ask('search/messages', { text: 'x', before })).toBeRefusal('request.invalid')
    },
  )
})

describe('search/accounts', () => {
  const found = async (person: Person, wanted: string) =>
    (await person.call('search/accounts', { text: wanted })).data.map(({ username }) => username)

  test('accounts below, by a part of either name, if the caller may see them', async () => {
    const { top, agent, cs, member } = await server.family()
    const part = member.username.slice(1)
    for (const person of [top, agent, cs]) expect(await found(person, part.toUpperCase())).toEqual([member.username])
    await agent.call('user/edit', { id: member.id, nickname: 'மாலா Ng' })
    expect((await agent.call('search/accounts', { text: 'லா n' })).data).toEqual([
      {
        id: member.id,
        role_id: Role.member,
        username: member.username,
        nickname: 'மாலா Ng',
        status: AccountStatus.active,
      },
    ])
    // Neither the caller nor customer service's colleagues are on its list pages.
    expect(await found(agent, agent.username)).toEqual([])
    expect(await found(agent, cs.username)).toEqual([cs.username])
    expect(await found(cs, agent.username)).toEqual([])
    expect(await found(top, cs.username)).toEqual([])
    const stranger = await server.family()
    for (const person of [stranger.agent, stranger.cs]) expect(await found(person, part)).toEqual([])
    expect(await member.ask('search/accounts', { text: part })).toBeRefusal('access.denied')
  })

  test('at most eight, prefix matches first', async () => {
    const { agent } = await server.family()
    const people = await Promise.all(
      Array.from({ length: 10 }, () => server.person({ role: Role.member, under: agent })),
    )
    for (const [at, { id }] of people.entries())
      await agent.call('user/edit', { id, nickname: at === 9 ? 'Zoya' : `Miss Zoya ${at}` })
    const names = await found(agent, 'zoya')
    expect(names).toHaveLength(8)
    expect(names[0]).toBe(people[9]?.username)
  })

  test('[S35] where usernames are masked only a whole name is found', async () => {
    const { top, agent, member } = await server.family()
    await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
    await agent.call('user/edit', { id: member.id, nickname: `${member.username} the kind` })
    expect(await found(agent, member.username.slice(1))).toEqual([])
    const [whole] = (await agent.call('search/accounts', { text: member.username })).data
    expect(whole?.id).toBe(member.id)
    expect(JSON.stringify(whole)).not.toContain(member.username)
  })
})

describe('search/notes', () => {
  const noted = async (words: string, title = 'slip') => {
    const family = await server.family()
    const { room_id } = (await family.cs.call('room/enter', { code: family.room })).room
    const { note_id } = await family.cs.call('note/add', { room_id, title })
    await family.agent.call('note_content/add', { note_id, content: words })
    const found = async (person: Person, text: string) =>
      (await person.call('search/notes', { text })).data.map(({ before, hit, after }) => [before, hit, after])
    return { ...family, note_id, room_id, found }
  }

  test('finds a note once, by its title or contents, for its group only', async () => {
    const { agent, cs, top, member, note_id, room_id, room, found } = await noted('ลูกค้าชอบโทรตอนเช้า', '常客 ＶＩＰ')
    for (const person of [agent, cs]) {
      expect(await found(person, 'โทรตอน')).toEqual([['ลูกค้าชอบ', 'โทรตอน', 'เช้า']])
      expect(await found(person, 'vip')).toEqual([['常客 ', 'ＶＩＰ', '']])
    }
    expect((await cs.call('search/notes', { text: '客' })).data).toMatchObject([
      { note_id, room_id, code: room, member_id: member.id, title: '常客 ＶＩＰ', username: member.username },
    ])
    const stranger = await server.family()
    for (const person of [top, stranger.agent, stranger.cs]) expect(await found(person, 'vip')).toEqual([])
    expect(await member.ask('search/notes', { text: 'vip' })).toBeRefusal('access.denied')
  })

  test('[S35] a username in a note is not found by viewers who see it masked', async () => {
    const { top, agent, member, found } = await noted('calls in the morning')
    const { room_id } = (await agent.call('room/enter', { friend_id: member.id })).room
    await agent.call('note/add', { room_id, title: `${member.username} is kind` })
    expect(await found(agent, member.username.slice(1, 6))).toHaveLength(1)
    await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
    expect(await found(agent, member.username.slice(1, 6))).toEqual([])
    expect(await found(agent, 'is kind')).toHaveLength(1)
  })
})

describe('room/history', () => {
  test('[ROOM-04] a page around a message, and further pages in both directions', async () => {
    const { agent, room } = await server.family()
    await fill(room, 200, 'n')
    const asked = async (input: object) => {
      const { messages, has_more, has_newer } = await agent.call('room/history', { code: room, per_page: 30, ...input })
      return [messages[0]?.seq, messages.at(-1)?.seq, has_more, has_newer]
    }
    expect(await asked({ around: 100 })).toEqual([86, 115, true, true])
    expect(await asked({ before: 86 })).toEqual([56, 85, true, true])
    expect(await asked({ after: 115 })).toEqual([116, 145, true, true])
    expect(await asked({ after: 175 })).toEqual([176, 200, true, false])
    expect(await asked({ around: 3 })).toEqual([1, 18, false, true])
    expect(await asked({ around: 200 })).toEqual([186, 200, true, false])
    expect(await asked({ around: 999 })).toEqual([undefined, undefined, true, false])
    expect(await asked({ after: 200 })).toEqual([undefined, undefined, true, false])
    expect(await asked({ page: 2 })).toEqual([141, 170, true, true])
  })
})
