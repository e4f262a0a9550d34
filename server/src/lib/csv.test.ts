import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'
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
const HARMLESS = [
  '',
  'a=1',
  '1+1',
  '-5',
  '-5.2500',
  '0',
  'a\t=1',
  '(=1)',
  ' x',
  '\u200bx',
  '中文＝',
  'x＠y',
  "'=1",
  '"=1',
]

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

test('[S31] no nickname or remark is a formula in either export', async () => {
  const server = await startTestServer()
  const { top, agent, member } = await server.family()
  const texts = STARTS.map((start) => `${start}1+1`)
  for (const nickname of texts) {
    const person = await server.person({ role: 4, under: agent })
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
