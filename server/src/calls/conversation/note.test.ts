import { randomUUID } from 'node:crypto'
import type { CallName, Input } from '@tallyroom/contract'
import { MessageType, NoteStatus } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { one, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { makeWorld, type World } from '../../testing/rights/matrix.ts'
import { names } from '../../testing/rights/matrix-tree.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startTestServer()
  world = await makeWorld(server)
}, 60_000)

const roomOf = async (member: Person) => (await member.call('room/list', {})).data[0]?.room_id ?? 0
const familyWithRoom = async () => {
  const family = await server.family()
  return { ...family, room_id: await roomOf(family.member) }
}

describe('note/list, note/add, note/edit', () => {
  test('[NOTE-01] [NOTE-02] a note is unfinished until an edit finishes it, and names its writer and last editor', async () => {
    const { agent, cs, member, room_id } = await familyWithRoom()
    const request_id = randomUUID()
    const { note_id } = await agent.call('note/add', {
      room_id,
      title: 'likes red envelopes',
      status: NoteStatus.finished,
      request_id,
    })
    expect(
      (await agent.call('note/add', { room_id, title: 'likes red envelopes', status: NoteStatus.finished, request_id }))
        .note_id,
    ).toBe(note_id)
    const note = {
      id: note_id,
      note_id,
      room_id,
      member_id: member.id,
      title: 'likes red envelopes',
      status: NoteStatus.unfinished,
      create_user: agent.username,
      update_user: '',
    }
    const friend = { member_id: member.id, username: member.username, nickname: `Nick ${member.username}` }
    expect(await cs.call('note/list', { room_id })).toMatchObject({ data: [note], total: 1, friend })
    await cs.call('note/edit', { note_id, room_id, title: 'likes them a lot', status: NoteStatus.finished })
    const edited = { ...note, title: 'likes them a lot', status: NoteStatus.finished, update_user: cs.username }
    expect((await agent.call('note/list', { room_id })).data).toMatchObject([edited])
    await cs.call('note/edit', { note_id, room_id, title: 'likes them a lot', status: NoteStatus.unfinished })
    expect((await agent.call('note/list', { room_id })).data).toMatchObject([
      { ...edited, status: NoteStatus.unfinished },
    ])
  })

  test('[NOTE-01] newest first, page by page', async () => {
    const { agent, room_id } = await familyWithRoom()
    for (let n = 1; n <= 5; n++) await agent.call('note/add', { room_id, title: `note ${n}` })
    const second = await agent.call('note/list', { room_id, page: 2, per_page: 2 })
    expect([second.data.map(({ title }) => title), second.total]).toEqual([['note 3', 'note 2'], 5])
    expect(await agent.ask('note/list', { room_id, per_page: 1001 })).toBeRefusal('request.invalid')
  })

  test.each(['', ' \n', 'x'.repeat(201)])('[NOTE-02] [WIRE-06] the title %j is refused', async (title) => {
    const { agent, room_id } = await familyWithRoom()
    const reply = await agent.ask('note/add', { room_id, title })
    expect([outcomeOf(reply), reply.data]).toEqual(['request.invalid', { field: 'title' }])
    expect((await agent.call('note/list', { room_id })).total).toBe(0)
  })

  test('[NOTE-02] writer and editor come from the session only', async () => {
    const { agent, room_id } = await familyWithRoom()
    const evil = { create_user: 'EVIL', update_user: 'EVIL', created_by: 1, updated_by: 1, top_id: 1 }
    await agent.call('note/add', { room_id, title: 'mine', ...evil } as Input<'note/add'>)
    expect((await agent.call('note/list', { room_id })).data).toMatchObject([
      { create_user: agent.username, update_user: '' },
    ])
  })
})

describe('note_content', () => {
  test('[NOTE-03] entries are added, changed and deleted; the note comes with them', async () => {
    const { top, agent, cs, member, room_id } = await familyWithRoom()
    const { note_id } = await agent.call('note/add', { room_id, title: 'calls' })
    const { content_id } = await agent.call('note_content/add', { note_id, content: 'rang at nine' })
    await cs.call('note_content/add', { note_id, content: 'rang again' })
    const listed = await cs.call('note_content/list', { note_id })
    expect(listed).toMatchObject({ total: 2, note: { note_id, room_id, title: 'calls' } })
    expect(listed.data.map(({ content, create_user }) => [content, create_user])).toEqual([
      ['rang again', cs.username],
      ['rang at nine', agent.username],
    ])
    await cs.call('note_content/edit', { content_id, note_id, content: 'rang at ten' })
    expect((await cs.call('note_content/list', { note_id })).data[1]).toMatchObject({
      id: content_id,
      content_id,
      content: 'rang at ten',
      create_user: agent.username,
    })
    await cs.call('note_content/delete', { content_id, note_id })
    expect((await agent.call('note_content/list', { note_id })).total).toBe(1)
    expect(await agent.ask('note_content/delete', { content_id, note_id })).toBeRefusal('note.content_not_found')
    expect((await top.call('audit/list', { kind: 'note_content_deleted' })).data).toMatchObject([
      { actor_username: cs.username, target_username: member.username },
    ])
  })

  test('[CONV-13] a note comes with its first entry in one call, once, or not at all', async () => {
    const { agent, cs, room_id } = await familyWithRoom()
    const input = { room_id, title: 'Pays by phone', content: 'Pays by phone\nafter 9 p.m.', request_id: randomUUID() }
    const { note_id } = await cs.call('note/add', input)
    expect((await cs.call('note/add', input)).note_id).toBe(note_id)
    expect((await agent.call('note/list', { room_id })).data.map(({ title }) => title)).toEqual(['Pays by phone'])
    const { data } = await agent.call('note_content/list', { note_id })
    expect(data).toMatchObject([{ content: input.content, create_user: cs.username }])
    const tooLong = { room_id, title: 'x', content: 'x'.repeat(5001) }
    expect(await cs.ask('note/add', tooLong)).toBeRefusal('request.invalid')
    expect((await agent.call('note/list', { room_id })).total).toBe(1)
  })

  test.each(['', '\u3000\n', 'x'.repeat(5001)])('[NOTE-03] the content %j is refused', async (content) => {
    const { note_id = 0, content_id = 0 } = world.of.member ?? {}
    const { agent } = world.people
    expect((await agent.ask('note_content/add', { note_id, content })).data).toEqual({ field: 'content' })
    expect((await agent.ask('note_content/edit', { content_id, note_id, content })).data).toEqual({ field: 'content' })
  })

  test('[LIM-02] [TEXT-02] a text is kept as it was typed, and the title is one that reads as it is stored', async () => {
    const { agent, room_id } = await familyWithRoom()
    const hostile =
      "<script>alert(1)</script> javascript:alert(1) \u202Egnp.exe\u200B 👩‍👩‍👧  %s \\ '; drop table notes;--\n"
    const { note_id } = await agent.call('note/add', { room_id, title: hostile })
    await agent.call('note_content/add', { note_id, content: hostile })
    const { data, note } = await agent.call('note_content/list', { note_id })
    expect([data[0]?.content, note.title]).toEqual([
      hostile,
      hostile
        .replace(/[\u202E\u200B]/g, '')
        .replace(/ +/g, ' ')
        .trim(),
    ])
  })
})

describe('who may read notes', () => {
  test('[GUARD-07] [ROOM-10] a member cannot reach notes and gets no event of them', async () => {
    const { agent, member, room, room_id } = await familyWithRoom()
    const { note_id } = await agent.call('note/add', { room_id, title: 'internal' })
    const { content_id } = await agent.call('note_content/add', { note_id, content: 'internal' })
    const asked: [CallName, object][] = [
      ['note/list', { room_id }],
      ['note/add', { room_id, title: 'x' }],
      ['note/edit', { note_id, room_id, title: 'x', status: NoteStatus.finished }],
      ['note_content/list', { note_id }],
      ['note_content/add', { note_id, content: 'x' }],
      ['note_content/edit', { content_id, note_id, content: 'x' }],
      ['note_content/delete', { content_id, note_id }],
    ]
    for (const [name, input] of asked)
      expect([name, outcomeOf(await member.ask(name, input as never))]).toEqual([name, 'access.denied'])
    const socket = await member.socket()
    const events: string[] = []
    socket.onAny((...event) => events.push(JSON.stringify(event)))
    await agent.call('note_content/add', { note_id, content: 'internal too' })
    const said = new Promise((resolve) => socket.once('room', resolve))
    await agent.call('sendMessage', { code: room, type: MessageType.text, content: 'hello' })
    await said
    expect(events.join()).not.toContain('internal')
    const seen = [await member.call('room/enter', { code: room }), await member.call('room/list', {})]
    expect(JSON.stringify(seen)).not.toContain('internal')
  })

  test('[GUARD-07] an agent cannot reach its upline’s notes about it', async () => {
    const { top, agent } = await server.family()
    const { room } = await top.call('room/enter', { friend_id: agent.id })
    const { note_id } = await top.call('note/add', { room_id: room.room_id, title: 'about the agent' })
    expect((await agent.call('room/enter', { code: room.code })).room.room_id).toBe(room.room_id)
    expect(await agent.ask('note/list', { room_id: room.room_id })).toBeRefusal('room.not_found')
    expect(await agent.ask('note_content/list', { note_id })).toBeRefusal('note.not_found')
  })

  test('[S3] [NOTE-03] mixing ids of different rooms, notes or entries reads and writes nothing', async () => {
    const state = () =>
      one<{ all: string }>(
        server.services.db,
        sql`select md5((select jsonb_agg(n order by n.id)::text from notes n)
          || (select jsonb_agg(t order by t.id)::text from note_contents t)) as all`,
      )
    const before = await state()
    let cases = 0
    for (const who of names.filter((name) => name !== 'frozen' && !/member|grandchild/i.test(name))) {
      for (const [one, mine] of Object.entries(world.of)) {
        for (const [other, theirs] of Object.entries(world.of)) {
          if (one === other) continue
          const person = world.people[who]
          const mixed: [CallName, object][] = [
            ['note/edit', { note_id: theirs.note_id, room_id: mine.room_id, title: 'x', status: NoteStatus.finished }],
            ['note_content/edit', { content_id: theirs.content_id, note_id: mine.note_id, content: 'x' }],
            ['note_content/delete', { content_id: theirs.content_id, note_id: mine.note_id }],
          ]
          const replies = await Promise.all(mixed.map(([name, input]) => person.ask(name, input as never)))
          expect([who, one, other, ...replies.map(outcomeOf)]).toEqual([
            who,
            one,
            other,
            'note.not_found',
            'note.content_not_found',
            'note.content_not_found',
          ])
          cases += mixed.length
        }
      }
    }
    expect(cases).toBeGreaterThanOrEqual(480)
    expect(await state()).toEqual(before)
  }, 60_000)

  test('[S35] [ACC-06] names in notes are masked for viewers who mask, and saving a masked text does not store the mask', async () => {
    const { top, agent, cs, member, room_id } = await familyWithRoom()
    const title = `${member.username} and ${cs.username}`
    const { note_id } = await cs.call('note/add', { room_id, title })
    const { content_id } = await cs.call('note_content/add', { note_id, content: title })
    await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
    const { data, friend } = await agent.call('note/list', { room_id })
    const said = JSON.stringify([data, friend, await agent.call('note_content/list', { note_id })])
    expect(said).not.toContain(member.username)
    const shown = data[0]?.title ?? ''
    expect(shown).toContain('***')
    await agent.call('note/edit', { note_id, room_id, title: shown, status: NoteStatus.finished })
    await agent.call('note_content/edit', { content_id, note_id, content: shown })
    await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 0 })
    const after = await agent.call('note_content/list', { note_id })
    expect([after.note.title, after.note.status, after.data[0]?.content]).toEqual([title, 1, title])
  })
})
