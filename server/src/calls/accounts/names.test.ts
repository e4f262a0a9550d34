import { MessageType, Role, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type TestServer, startTestServer } from '../../testing/app.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const today = { start_time: `${dayIn(-2)} 00:00:00`, end_time: `${dayIn(2)} 00:00:00` }
/** Nothing in them can be seen. */
const unseen = ['\u3164', '\u2800', '\u200d', '\u00ad', '\ufe0f', '\u200c', ' \u3164\u2060 ']

/** A family whose member is called Nguyễn Văn Đức, and everything that a search of names or words finds of it. */
const named = async (name = 'Nguyễn Văn Đức') => {
  const { top, agent, cs, member, room } = await server.family()
  await agent.call('user/edit', { id: member.id, nickname: name })
  const { room_id } = (await agent.call('friend/view', { member_id: member.id })) as { room_id: number }
  const { transaction_id } = await agent.call('transaction/add', {
    member_id: member.id,
    type: TransferKind.send,
    amount: '5',
    remark: name,
  })
  await agent.call('note/add', { room_id, title: `about ${name}` })
  await member.call('sendMessage', { code: room, type: MessageType.text, content: `I am ${name}` })
  const find = async (text: string) => {
    const lists = {
      palette: (await agent.call('search/accounts', { text })).data.map(({ id }) => id),
      contacts: (await agent.call('friend/list', { username: text, fuzzy: 1 })).data.map(({ member_id }) => member_id),
      users: (await agent.call('user/list', { role_id: Role.customerService, menu_id: 13, nickname: text })).data.map(
        ({ id }) => id,
      ),
      tree: (await agent.call('tree/find', { text })).data.map(({ id }) => id),
      remarks: (await agent.call('transaction/list', { ...today, remark: text })).data.map((row) => row.transaction_id),
      notes: (await agent.call('search/notes', { text })).data.map(({ title }) => title),
      messages: (await agent.call('search/messages', { text })).data.map(
        ({ before, hit, after }) => before + hit + after,
      ),
    }
    return Object.entries(lists).flatMap(([list, found]) => (found.length === 1 ? [] : [list]))
  }
  return { top, agent, cs, member, room, find, transaction_id }
}

describe('[TEXT-02] one name in every form', () => {
  test('is found however it is typed, in every list', async () => {
    const { find } = await named()
    const name = 'Nguyễn Văn Đức'
    for (const text of [
      name,
      name.normalize('NFD'),
      name.toUpperCase(),
      'nguyen',
      'ＮＧＵＹＥＮ',
      'van duc',
      '\u202aVăn\u202c',
    ])
      expect([text, await find(text)]).toEqual([text, []])
    expect(await find('nguyenx')).toHaveLength(7)
  })

  test('that was written with combining marks or in full width is found as usual', async () => {
    const { find } = await named('Nguyễn'.normalize('NFD'))
    expect(await find('Nguyễn')).toEqual([])
    const wide = await named('Ｖｉｐ ０９１২')
    expect([await wide.find('vip'), await wide.find('vip 0912')]).toEqual([[], []])
  })

  test('a message that was stored before accents were folded is found with them', async () => {
    const { agent, room } = await named()
    await run(
      server.services.db,
      sql`update messages m set folded = 'i am nguyễn văn đức' from rooms r where r.id = m.room_id and r.code = ${room}`,
    )
    expect((await agent.call('search/messages', { text: 'Nguyễn Văn' })).data).toMatchObject([{ hit: 'Nguyễn Văn' }])
  })

  test('who sees usernames masked finds them as a whole only, whatever a name or remark is folded to', async () => {
    const { top, agent, member, find } = await named()
    const wide = Array.from(member.username, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)).join('')
    await agent.call('user/edit', { id: member.id, nickname: `${wide} Lee` })
    const part = member.username.slice(0, -1)
    expect(await find(part)).not.toContain('palette')
    await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
    for (const text of [part, wide.slice(0, -1), `${part.slice(0, 3)}\u0301${part.slice(3)}`])
      expect(await find(text)).toEqual(['palette', 'contacts', 'users', 'tree', 'remarks', 'notes', 'messages'])
    expect(await find(wide)).not.toContain('palette')
  })

  test('is stored once: the second form of a bank is refused', async () => {
    const { top } = await server.family()
    await top.call('orderType/save', { name: 'Ngân hàng Á' })
    for (const name of ['Ngân hàng Á'.normalize('NFD'), 'NGÂN HÀNG Á', 'Ngân\u00ad hàng Á', 'Ｎgân hàng Á'])
      expect((await top.ask('orderType/save', { name })).refusal).toBe('bank.name_taken')
    expect((await top.call('orderType/list', {})).data.map(({ name }) => name)).toEqual([
      'Ngân hàng Á'.normalize('NFC'),
    ])
  })
})

describe('[TEXT-02] a name that cannot be seen is none', () => {
  test.each(unseen)('%j', async (letter) => {
    const { agent, cs, top, member, room } = await server.family()
    await agent.call('user/edit', { id: member.id, nickname: letter })
    await agent.call('user/edit', { id: cs.id, nickname: letter })
    await agent.call('friend/edit', { member_id: member.id, nickname: letter })
    const { room_id, ...friend } = (await agent.call('friend/view', { member_id: member.id })) as {
      room_id: number
      nickname: string
    }
    expect(friend).toMatchObject({ nickname: '', username: member.username })
    expect((await agent.call('room/enter', { code: room })).room.name).toBe(member.username)
    const refused = [
      await agent.ask('note/add', { room_id, title: letter }),
      await agent.ask('message-template/create', { title: letter, content: 'x' }),
      await agent.ask('message-template/create', { title: 'x', content: letter }),
      await agent.ask('listView/save', { list: 'user', name: letter, filters: {} }),
      await top.ask('orderType/save', { name: letter }),
      await agent.ask('approval/refuse', { id: 1, reason: letter }),
    ]
    expect(refused.map(outcomeOf)).toEqual(refused.map(() => 'request.invalid'))
  })
})
