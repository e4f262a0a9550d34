import { randomUUID } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { startTestServer } from '../../testing/app.ts'
import { platform } from '../../testing/fakes/platform.ts'

const server = await startTestServer()

test('[S35] the audit log tells a viewer who sees names masked nothing of a searched name or an id of the platform', async () => {
  const { top, agent, member } = await server.family()
  await server.person({ role: Role.admin, under: top })
  const api = await platform(server, top)
  const third = { username: `v${randomUUID().slice(0, 8)}`, third_party_id: `own-${randomUUID()}` }
  await api.call('member/add', { ...third, request_id: randomUUID() })
  await top.call('change/saveRules', { kinds: ['export'] })
  expect(await agent.call('user/export', { menu_id: 13, username: member.username })).toMatchObject({ approval: 1 })
  await agent.call('user/export', { menu_id: 13, nickname: `Nick ${member.username}` })
  const today = new Date().toISOString().slice(0, 10)
  await agent.call('statement/export', { start_date: today, end_date: today, by: agent.username })
  for (const { id } of (await top.call('change/list', {})).data) await top.call('change/approve', { id })
  expect(await top.call('audit/export', { actor: agent.username })).toMatchObject({ approval: 1 })
  const log = async () =>
    JSON.stringify([(await top.call('audit/list', { per_page: 50 })).data, await top.call('audit/export', {})])
  const names = [member.username, agent.username, third.username, third.third_party_id]
  for (const name of names) expect(await log()).toContain(name)
  await run(server.services.db, sql`update accounts set masks_usernames = 1 where id = ${top.id}`)
  const masked = await log()
  for (const name of names) expect(masked).not.toContain(name)
  expect(JSON.stringify((await top.call('change/list', { ended: 1 })).data)).not.toContain(agent.username)
})
