import en from '@tallyroom/locales/en'
import ru from '@tallyroom/locales/ru'
import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { startTestServer } from '../../testing/app.ts'

const server = await startTestServer()

const linesOf = (csv: string) => csv.split('\r\n').slice(1, -1)

test('[S28] the audit log as a file: the rows that match, as on the page, with details in words', async () => {
  const { top, agent, member } = await server.family()
  await agent.call('user/edit', { id: member.id, nickname: 'Ann' })
  await agent.call('user/saveAbilities', { id: member.id, is_sub: 1 })
  const filter = { target: member.username }
  const { name, csv, cut } = await top.call('audit/export', filter)
  const page = await top.call('audit/list', filter)
  expect([name.replace(/[\d-]+\./, '.'), cut]).toEqual(['audit-log.csv', false])
  const before = `Nick ${member.username}`
  expect(linesOf(csv).map((line) => line.split(',').slice(2, 6).join())).toEqual([
    `"${en['audit.kind_abilities_changed']}","${agent.username}","${member.username}","${en['ability.is_sub']}: off → on"`,
    `"${en['audit.kind_account_edited']}","${agent.username}","${member.username}","${en['account.nickname']}: ${before} → Ann"`,
  ])
  expect(linesOf(csv).map((line) => line.slice(1).split('"')[0])).toEqual(page.data.map(({ id }) => id))
  // The file itself is in the log.
  const [exported] = (await top.call('audit/list', { kind: 'exported' })).data
  expect([exported?.actor_username, exported?.facts]).toEqual([
    top.username,
    [
      { field: 'rows', before: null, after: '2' },
      { field: 'what', before: null, after: 'audit-log' },
    ],
  ])
  const { reply } = await server.post('audit/export', server.wire.seal('audit/export', { kind: 'exported' }), {
    authorization: `Bearer ${top.token}`,
    'accept-language': 'ru',
  })
  expect(reply.data).toHaveProperty(
    'csv',
    expect.stringContaining(`${ru['audit.field_rows']}: 2 · ${ru['audit.field_what']}: ${ru['menu.audit']}`),
  )
  const backwards = { start_time: '2026-02-02 00:00:00', end_time: '2026-02-01 00:00:00' }
  expect(await top.ask('audit/export', backwards)).toMatchObject({ refusal: 'report.range_invalid' })
})

test('[CAPS-04] the file waits for a second admin, who is shown what narrows it', async () => {
  const { top, agent, member } = await server.family()
  const second = await server.person({ role: Role.admin, under: top })
  await agent.call('user/edit', { id: member.id, nickname: 'Ann' })
  await top.call('change/saveRules', { kinds: ['export'] })
  const filter = { actor: agent.username, kind: 'account_edited' } as const
  expect(await top.call('audit/export', filter)).toEqual({ name: '', csv: '', cut: false, approval: 1 })
  const [shown] = (await second.call('change/list', {})).data
  expect(shown?.facts.map(({ field, after }) => [field, after])).toEqual([
    ['what', 'audit-log'],
    ['rows', '1'],
    ['actor', agent.username],
    ['kind', 'account_edited'],
  ])
  await second.call('change/approve', { id: shown?.id ?? 0 })
  const [own] = (await top.call('change/list', { ended: 1 })).data
  expect(own?.file).toMatchObject({ call: 'audit/export', input: filter })
  expect(linesOf((await top.call('audit/export', filter)).csv)).toHaveLength(1)
})
