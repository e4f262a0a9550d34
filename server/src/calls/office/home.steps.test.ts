import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MessageType, Role } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { noteBackup } from '../../doctor/last-backup.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { withAuthenticator } from '../../testing/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const stepsOf = async (who: Person) =>
  Object.fromEntries((await who.call('home/steps', {})).steps.map(({ step, done }) => [step, done]))

test('[FIRST-01] the steps of the first admin tick themselves off by what exists', async () => {
  const top = await server.person({ role: Role.admin, unlimited: true })
  const none = {
    zone: false,
    agent: false,
    points: false,
    share: false,
    conversation: false,
    factor: false,
    backup: false,
  }
  expect(await stepsOf(top)).toEqual(none)
  const agent = await server.person({ role: Role.agent, under: top })
  expect(await stepsOf(top)).toEqual({ ...none, agent: true })
  await top.call('user/transaction', { id: agent.id, amount: '5', remark: 'start' })
  const member = await server.person({ role: Role.member, under: agent })
  // The first transfer fixes the time zone.
  expect(await stepsOf(top)).toEqual({ ...none, zone: true, agent: true, points: true, share: true })
  const code = (await member.call('room/list', {})).data[0]?.code ?? ''
  await agent.call('sendMessage', { code, type: MessageType.text, content: 'Hello' })
  expect(await stepsOf(top)).toMatchObject({ conversation: false })
  await member.call('sendMessage', { code, type: MessageType.text, content: 'Hi' })
  await withAuthenticator(server, top)
  expect(await stepsOf(top)).toMatchObject({ conversation: true, factor: true, backup: false })
  const commandFor = async (who: Person) => (await who.call('home/steps', {})).backup_command
  expect([await commandFor(top), await commandFor(agent)]).toEqual(['npm run backup -- DIR', undefined])
  await noteBackup(server.services.settings.dataDir)
  expect(await stepsOf(top)).toMatchObject({ backup: true })
  await writeFile(join(server.services.settings.dataDir, 'last-backup'), '')
})

test('[FIRST-01] an agent begins with customer service, and with its own accounts only', async () => {
  const { top } = await server.family()
  const agent = await server.person({ role: Role.agent, under: top })
  const none = { service: false, get_points: false, share: false, conversation: false, factor: false }
  expect(await stepsOf(agent)).toEqual(none)
  await server.person({ role: Role.customerService, under: agent })
  await top.call('user/transaction', { id: agent.id, amount: '5', remark: 'start' })
  expect(await stepsOf(agent)).toEqual({ ...none, service: true, get_points: true })
})

test('[FIRST-01] an admin shares the link of the agent who has the points, an agent its own', async () => {
  const top = await server.person({ role: Role.admin, unlimited: true })
  const sharerOf = async (who: Person) => (await who.call('home/steps', {})).sharer
  expect(await sharerOf(top)).toBeUndefined()
  const [poor, rich] = [
    await server.person({ role: Role.agent, under: top }),
    await server.person({ role: Role.agent, under: top }),
  ]
  const linkOf = async (who: Person) => {
    const { share_code, domain, nickname, username } = await who.call('user/view', {})
    return { name: nickname || username, share_code, domain }
  }
  expect(await sharerOf(top)).toEqual(await linkOf(poor))
  await top.call('user/transaction', { id: rich.id, amount: '5', remark: 'start' })
  await rich.call('share/saveDomain', { domain: 'https://join.example' })
  expect(await sharerOf(top)).toEqual({ ...(await linkOf(rich)), domain: 'https://join.example' })
  expect(await sharerOf(rich)).toBeUndefined()
  await top.call('user/edit', { id: rich.id, status: 0 })
  expect(await sharerOf(top)).toEqual(await linkOf(poor))
  // [ACC-06]
  await run(
    server.services.db,
    sql`update accounts set masks_usernames = 1, nickname = username where id in (${top.id}, ${poor.id})`,
  )
  expect((await sharerOf(top))?.name).toMatch(/\*\*\*/)
})

test('[FIRST-01] the steps can be put away and brought back, by each head for itself', async () => {
  const { top, agent, cs, member } = await server.family()
  await agent.call('home/putAway', { put_away: true })
  expect(await stepsOf(agent)).toEqual({})
  expect(Object.keys(await stepsOf(top))).toHaveLength(7)
  await agent.call('home/putAway', { put_away: false })
  expect(Object.keys(await stepsOf(agent))).toHaveLength(5)
  for (const who of [cs, member]) {
    expect(await who.ask('home/steps', {})).toBeRefusal('access.denied')
    expect(await who.ask('home/putAway', { put_away: true })).toBeRefusal('access.denied')
  }
})
