import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'
import { run, sql } from '../data/sql.ts'
import { startTestServer } from '../testing/app.ts'

const STARTS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫']
/** Characters that spreadsheets skip, or that programs strip before them. */
const SKIPPED = [
  '',
  ' ',
  '  ',
  '\u00a0',
  '\u3000',
  '\u200b',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u202e',
  '\0',
  '\x01',
  '\t',
  '\r',
  '\n',
  '\v',
]
const variants = [
  ...STARTS.flatMap((start) => SKIPPED.map((skipped) => `${skipped}${start}1+1`)),
  '\tx',
  '\rx',
  '\nx',
  '\r\nx',
  '=',
  '＝',
  '-1+1',
  '-1.5e3',
  '- 5',
  '－5',
  '+5',
]
const HARMLESS = ['', 'a=1', '1+1', 'a\t=1', '(=1)', ' x', '\u200bx', '中文＝', 'x＠y', "'=1", '"=1']

test('[S31] every cell that a spreadsheet would read as a formula starts with an apostrophe', () => {
  expect(variants.length).toBeGreaterThan(24)
  for (const text of variants) {
    const cell = `"'${text.replaceAll('"', '""')}"`
    expect([text, csvOf([[['heading', text]]])]).toEqual([text, `\uFEFF"heading"\r\n${cell}\r\n`])
    // Headings too.
    expect(csvOf([[[text, '']]])).toContain(cell)
  }
  for (const text of HARMLESS)
    expect(csvOf([[['heading', text]]])).toBe(`\uFEFF"heading"\r\n"${text.replaceAll('"', '""')}"\r\n`)
})

/** Usernames and remarks that spreadsheets change. */
const LIKE_VALUES = [
  '0912345678',
  '12E4',
  '1e3',
  '1.5',
  '1.50',
  '-1234',
  '2026-11',
  '2026-11-28',
  '28/11',
  '1-2',
  '12:30',
  '5pm',
  'dec1',
  '1dec',
  'Mar-20',
  'mei5',
  '5%',
  '1,000',
  '(5)',
  'TRUE',
  'false',
  '123456789012345678901234567890',
  '०९१२',
]
const NAMES = [
  'bhan01',
  'maria01',
  'julia5',
  'a1',
  'e5e',
  'march',
  'x.5',
  '12ab',
  'dec1a',
  '1_2',
  '09***678',
  'N/A',
  '',
]

test('[TEXT-02] what looks like a number, a date or a truth value is text, but in columns of amounts and times', () => {
  const line = (text: string, kind?: 'read') =>
    csvOf([[kind ? ['heading', text, kind] : ['heading', text]]]).split('\r\n')[1]
  for (const text of LIKE_VALUES) expect([text, line(text)]).toEqual([text, `"=""${text}"""`])
  for (const text of NAMES) expect([text, line(text)]).toEqual([text, `"${text}"`])
  for (const text of ['-5', '-5.2500', '0', '2026-11-28 21:01:56'])
    expect([text, line(text, 'read')]).toEqual([text, `"${text}"`])
  expect(line('=1+1', 'read')).toBe(`"'=1+1"`)
})

test('[TEXT-02] usernames that look like numbers are text in the files, and amounts are numbers', async () => {
  const server = await startTestServer()
  const { agent } = await server.family()
  const usernames = ['0912345678', '12E4', '-1234', '2026-11', '1.50']
  for (const username of usernames) {
    const { id } = await server.person({ role: Role.member, under: agent })
    await run(server.services.db, sql`update accounts set username = ${username} where id = ${id}`)
    await agent.call('user/transaction', { id, amount: '5', remark: username })
  }
  const day = (by: number) => new Date(Date.now() + by * 86_400_000).toISOString().slice(0, 10)
  const range = { start_time: `${day(-1)} 00:00:00`, end_time: `${day(1)} 00:00:00` }
  const users = (await agent.call('user/export', { menu_id: 13 })).csv
  const transfers = (await agent.call('transaction/export', range)).csv
  for (const username of usernames) {
    expect(users).toContain(`"=""${username}""","`)
    expect(transfers.split(`"=""${username}"""`)).toHaveLength(3)
  }
  expect(transfers).toContain(',"5.0000",')
})

test('[S31] no nickname or remark is a formula in either export', async () => {
  const server = await startTestServer()
  const { top, agent, member } = await server.family()
  const texts = STARTS.map((start) => `${start}1+1`)
  for (const nickname of texts) {
    const person = await server.person({ role: Role.member, under: agent })
    await agent.call('user/edit', { id: person.id, nickname })
    await agent.call('user/transaction', { id: member.id, amount: '1', remark: nickname })
  }
  const day = (by: number) => new Date(Date.now() + by * 86_400_000).toISOString().slice(0, 10)
  const range = { start_time: `${day(-1)} 00:00:00`, end_time: `${day(1)} 00:00:00` }
  for (const { csv } of [await agent.call('user/export', { menu_id: 13 }), await top.call('transaction/export', range)])
    for (const text of texts) {
      expect(csv).toContain(`"'${text}"`)
      expect(csv).not.toContain(`"${text}"`)
    }
})

test('[S31] every CSV file is made by csvOf', () => {
  const here = fileURLToPath(new URL('..', import.meta.url))
  const sources = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  )
  const named = sources.filter((path) => /\.csv`/.test(readFileSync(join(here, path), 'utf8')))
  expect(named.toSorted()).toEqual(['accounts/export-file.ts', 'calls/points/statement/export.ts'])
  for (const path of named) expect(readFileSync(join(here, path), 'utf8')).toContain('csv: csvOf(')
})
