import type { Answer } from '@tallyroom/contract'
import { Role, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { sealAll } from '../../ledger/seal/sealer.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { check, faults, page, type Seal } from '../../testing/check-page.ts'
import { asSuperuser } from '../../testing/postgres.ts'

const server = await startTestServer({ TIME_ZONE: 'Pacific/Kiritimati' })
const { db } = server.services
const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10)
const yesterday = new Date(Date.now() - 10 * 3_600_000).toISOString().slice(0, 10)
const days = { start_date: today, end_date: today }

type Asked = { id?: number; scope?: 'own' | 'direct' | 'branch'; by?: string; wallet?: 0 | 1 | 2 | 3 }
const filesOf = async (viewer: Person, asked: Asked = {}) => {
  const { seal, name } = await viewer.call('statement/seal', { ...asked, ...days })
  const { csv } = await viewer.call('statement/export', { ...asked, ...days })
  return { seal: JSON.parse(seal) as Seal, csv, name, text: seal }
}
const { top, agent, cs, member } = await server.family()
const sub = await server.person({ role: Role.agent, under: agent, points: '100' })
const quiet = await server.person({ role: Role.member, under: sub })
const theirs = await server.person({ role: Role.member, under: sub })
await agent.call('user/transaction', { id: member.id, amount: '10.0001', remark: 'first, "quoted"' })
await sub.call('user/transaction', { id: quiet.id, amount: '1' })
// What happened so far was yesterday.
await asSuperuser(async (tx) => {
  await run(tx, sql`update postings set created_at = created_at - interval '1 day'`)
  await run(tx, sql`update transfers set created_at = created_at - interval '1 day'`)
})
await sealAll(db)
for (const amount of ['5', '-2.5', '123.4567']) {
  await agent.call('user/transaction', { id: member.id, amount })
  if (amount === '5') await sealAll(db)
}
await cs.call('user/transaction', { id: member.id, amount: '3', remark: 'by the desk' })
await sub.call('user/transaction', { id: theirs.id, amount: '40' })
await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '7' })
await sealAll(db)
await agent.call('user/transaction', { id: member.id, amount: '2' })
await sealAll(db)

test('[BOOK-05] the statement carries the newest head, and says how many movements wait for their seal', async () => {
  const { seal } = await agent.call('statement/view', { id: member.id, ...days })
  expect(seal).toMatchObject({ block: 4, at: expect.stringContaining(today), waiting: 0 })
  await agent.call('user/transaction', { id: member.id, amount: '1' })
  const later = await cs.call('statement/view', { id: member.id, ...days })
  expect(later.seal).toEqual({ ...seal, waiting: 1 })
  const { seal: file, csv } = await filesOf(agent, { id: member.id })
  expect(faults(file, csv)).toEqual(['1 movements were not sealed yet when the file was made. Save it again.'])
  await sealAll(db)
  expect((await agent.call('statement/view', { id: member.id, ...days })).seal).toMatchObject({ block: 5, waiting: 0 })
})

test('[BOOK-05] a page of at most 200 lines checks the files of a statement without the server', async () => {
  expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(200)
  expect(page).toContain("default-src 'none'")
  const asked: Asked[] = [
    { id: member.id },
    { id: quiet.id },
    { scope: 'direct' },
    { scope: 'branch' },
    { scope: 'branch', wallet: WalletKind.main },
    { scope: 'own', wallet: WalletKind.escrow },
    { scope: 'branch', by: cs.username },
  ]
  for (const one of asked) {
    const { seal, csv, name } = await filesOf(agent, one)
    expect(name).toMatch(/^statement-.*\.seal\.json$/)
    expect(faults(seal, csv), JSON.stringify(one)).toEqual([])
    const view: Answer<'statement/view'> = await agent.call('statement/view', { ...one, ...days })
    const checked = check(seal, csv)
    expect(checked.rows).toHaveLength(view.lines)
    expect(checked.head).toEqual([view.seal?.block, view.seal?.head])
  }
})

test('[BOOK-05] every changed value of the files is found', async () => {
  const { seal, csv, text } = await filesOf(agent, { scope: 'branch' })
  const copy = () => JSON.parse(text) as Seal
  const changed = (alter: (file: Seal) => void) => {
    const file = copy()
    alter(file)
    return faults(file, csv)
  }
  const shown = (file: Seal) => file.wallets.flatMap(({ items }) => items.filter((item) => typeof item !== 'string'))
  let tried = 0
  for (const [at, row] of shown(seal).entries())
    for (const field of row.keys()) {
      const found = changed((file) => {
        const value = (shown(file)[at] as unknown[])[field]
        ;(shown(file)[at] as unknown[])[field] =
          typeof value === 'number' ? value + 1 : String(value).replace(/.$/, (digit) => (digit === '1' ? '2' : '1'))
      })
      expect(found, `field ${field} of row ${at}`).not.toEqual([])
      tried++
    }
  expect(tried).toBeGreaterThan(100)
  expect(changed((file) => file.wallets[0]?.items.pop())).not.toEqual([])
  expect(changed((file) => file.wallets.pop())).not.toEqual([])
  expect(changed((file) => (file.statement['closing'] = '1.0000'))).toEqual([expect.stringContaining('closing')])
  expect(changed((file) => (file.head[1] = 'ab'.repeat(32)))).toEqual([
    expect.stringContaining('does not lead to the head'),
  ])
  expect(changed((file) => file.blocks.pop())).not.toEqual([])
  const lines = csv.split('\r\n')
  const movement = lines.findIndex((line) => line.includes('123.4567'))
  const withLines = (alter: (all: string[]) => void) => {
    const all = [...lines]
    alter(all)
    return faults(seal, all.join('\r\n'))
  }
  expect(withLines(() => {})).toEqual([])
  expect(withLines((all) => (all[movement] = (all[movement] ?? '').replaceAll('123.4567', '923.4567')))).not.toEqual([])
  expect(withLines((all) => all.splice(movement, 1))).not.toEqual([])
  expect(withLines((all) => all.splice(movement, 0, all[movement] ?? ''))).not.toEqual([])
  expect(withLines((all) => (all[movement] = (all[movement] ?? '').replace(today, yesterday)))).not.toEqual([])
})

test('[BOOK-05] the seal file names nobody, and is audited', async () => {
  const { text } = await filesOf(agent, { scope: 'branch' })
  for (const name of [member, cs, quiet].flatMap(({ username }) => [username, `Nick ${username}`, 'by the desk']))
    expect(text).not.toContain(name)
  const { data } = await top.call('audit/list', { kind: 'exported', target: agent.username })
  expect(data.flatMap(({ facts }) => facts.map(({ after }) => after))).toContain('seal')
})
