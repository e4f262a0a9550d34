import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { sealAll } from '../../ledger/seal/sealer.ts'
import { startTestServer } from '../../testing/app.ts'
import { check, faults, type Seal } from '../../testing/check-page.ts'
import { makeOlder } from '../../testing/ledger/make-older.ts'

// Files that somebody else made or changed, given to the page that checks statements.
const server = await startTestServer()
const { agent, member } = await server.family()
const quiet = await server.person({ role: Role.member, under: agent })
const give = (id: number, amount: string) => agent.call('user/transaction', { id, amount, remark: 'a, "b"' })
await give(quiet.id, '1')
await give(member.id, '10.0001')
await makeOlder(24)
await sealAll(server.services.db)
for (const amount of ['5', '-2.5', '123.4567', '2']) await give(member.id, amount)
await sealAll(server.services.db)

const filesOf = async (asked: { id?: number; scope?: 'branch' }) => {
  const today = new Date().toISOString().slice(0, 10)
  const days = { start_date: today, end_date: today }
  const { seal } = await agent.call('statement/seal', { ...asked, ...days })
  const { csv } = await agent.call('statement/export', { ...asked, ...days })
  return { seal: JSON.parse(seal) as Seal, csv, text: seal }
}

/** The way to each part of a value. */
const pathsIn = (value: object, way: string[] = []): string[][] =>
  Object.entries(value).flatMap(([name, part]: [string, unknown]) => [
    [...way, name],
    ...(typeof part === 'object' && part !== null ? pathsIn(part, [...way, name]) : []),
  ])
const put = (file: object, way: string[], value: unknown) => {
  const [last = '', ...rest] = way.toReversed()
  let at = file as Record<string, unknown>
  for (const name of rest.toReversed()) at = at[name] as Record<string, unknown>
  if (value === undefined) delete at[last]
  else at[last] = value
}

test('[BOOK-05] whatever is missing from a seal file, or has another type or form, the page says so', async () => {
  const { seal, text } = await filesOf({ id: quiet.id })
  expect(faults(text)).toEqual([])
  expect(faults(JSON.stringify(seal, null, 2))).toEqual([])
  const isFree = ([part, name]: string[]) => part === 'statement' && (name === 'drawn_up' || name === 'wallet')
  const isText = ([, name = '']: string[]) => ['account', 'scope', 'by'].includes(name)
  const other = [
    undefined,
    null,
    true,
    [],
    {},
    -1,
    0.5,
    1e300,
    2 ** 53,
    '',
    ' 1',
    '1e3',
    '-0',
    '0x10',
    '١٢٣',
    'toString',
  ]
  const unseen: string[] = []
  let tried = 0
  for (const way of pathsIn(seal).filter((one) => !isFree(one)))
    for (const value of other) {
      if (isText(way) && typeof value === 'string') continue
      const file = JSON.parse(text) as Seal
      put(file, way, value)
      if (JSON.stringify(file) === text) continue
      if (faults(file).length === 0) unseen.push(`${way.join('.')} = ${JSON.stringify(value)}`)
      tried++
    }
  expect(unseen).toEqual([])
  expect(tried).toBeGreaterThan(400)
})

test('[BOOK-05] numbers that JSON can write in two ways, and names that come twice, are refused', async () => {
  const { text } = await filesOf({ id: member.id })
  const said = (from: string | RegExp, to: string) => {
    expect(text).toMatch(from)
    return faults(text.replace(from, to)).join()
  }
  const byHand = 'The seal file was changed by hand.'
  expect(said(/"first":(\d+)/, '"first":$1.0')).toBe(byHand)
  expect(said(/"first":(\d+)/, '"first":$1e0')).toBe(byHand)
  expect(said('"parts":[', '"parts":[-0,')).toBe(byHand)
  expect(said('"closing":', '"closing":"1.0000","closing":')).toBe(byHand)
  expect(said('"scope":"own"', '"\\u0073cope":"own"')).toBe(byHand)
  expect(said('"wallets":[', '"wallets":[],"wallets":[')).toBe(byHand)
  expect(said(/"head":\[(\d+)/, '"head":[1000000000000000000000001')).toBe(byHand)
  expect(said('{', '{{')).not.toBe('')
})

test('[BOOK-05] a file that was made to show other amounts under the same hashes is found, with a statement to match', async () => {
  const { text, csv } = await filesOf({ id: member.id })
  const rowOf = (file: Seal, at = 0) =>
    (file.wallets[0]?.items.filter((item) => typeof item !== 'string')[at] ?? []) as unknown[]
  /** With opening, in, out and closing as the page adds them up. */
  const forged = (alter: (file: Seal) => void, withCsv?: string) => {
    const file = JSON.parse(text) as Seal
    alter(file)
    for (let round = 0; round < 2; round++)
      for (const fault of faults(file)) {
        const [, name = '', amount = ''] = /^(\w+): the movements come to (\S+), the statement/.exec(fault) ?? []
        if (name) file.statement[name] = amount
      }
    return faults(file, withCsv)
  }
  expect(forged(() => {})).toEqual([])
  const large = forged((file) => (rowOf(file)[5] = String(BigInt(rowOf(file)[5] as string) + (1n << 64n))))
  expect(large.join()).toMatch(/not a seal file|too large/)
  // In eight bytes it is the same number.
  expect(
    forged((file) => {
      rowOf(file)[5] = String(BigInt.asUintN(64, BigInt(rowOf(file, 1)[5] as string)))
    }),
  ).not.toEqual([])
  // Two bytes of the hash of the rest moved into the number: all amounts would be read from another place.
  const shifted = forged((file) => {
    const row = rowOf(file)
    row[2] = `${row[2] as string}0000`
    row[7] = (row[7] as string).slice(4)
  })
  expect(shifted.join()).toContain('not a seal file')
  const twice = forged((file) => file.wallets.push(...(JSON.parse(text) as Seal).wallets))
  expect(twice.join()).toContain('a wallet twice')
  // A movement of the period as what was there before it.
  const hidden = forged((file) => {
    for (const wallet of file.wallets) wallet.is_before = true
  })
  expect(hidden).not.toEqual([])
  const made = forged((file) => {
    for (const wallet of file.wallets) wallet.parts = []
  })
  expect(made.join()).toContain('not sealed')
  const early = forged((file) => (file.statement['start_date'] = '2999-01-01'))
  expect(early.join()).toContain('wrong period')
  expect(faults(text, csv)).toEqual([])
})

test('[BOOK-05] a statement of a branch that is sealed only in part says so, also of what was there before', async () => {
  const { text } = await filesOf({ id: quiet.id })
  const file = JSON.parse(text) as Seal
  for (const wallet of file.wallets) wallet.parts = []
  expect(faults(file).join()).toContain('held before the period was not sealed')
  const branch = check((await filesOf({ scope: 'branch' })).seal)
  expect(branch.results.map(([, what]) => what).join()).toContain('the tree is not sealed')
})

test('[BOOK-05] a CSV file with amounts that are no numbers, other totals, or lines that the page would pass over', async () => {
  const { seal, csv } = await filesOf({ id: member.id })
  const lines = csv.trimEnd().split('\r\n')
  const movement = lines.findIndex((line) => line.includes('"123.4567"'))
  const cellsOf = (line: string) => line.slice(1, -1).split('","')
  const lineOf = (cells: string[]) => `"${cells.join('","')}"`
  const withCell = (line: number, cell: number, value: string) =>
    faults(seal, lines.map((text, at) => (at === line ? lineOf(cellsOf(text).with(cell, value)) : text)).join('\r\n'))
  expect(withCell(movement, 7, 'Another remark')).toEqual([])
  const noAmounts = [
    '',
    'abc',
    '1e3',
    '123.456',
    '123.45670',
    '0123.4567',
    '１２３.4567',
    '١٢٣.4567',
    '-0.0000',
    '0x1',
    ' 123.4567',
  ]
  for (const value of noAmounts) expect(withCell(movement, 8, value), value).not.toEqual([])
  for (const value of ['0.0000', 'abc', '-0.0000']) expect(withCell(movement, 9, value), value).not.toEqual([])
  for (const value of noAmounts) expect(withCell(movement, 10, value), value).not.toEqual([])
  for (const cell of [8, 9, 10])
    for (const value of ['', 'abc', '999999.0000']) expect(withCell(lines.length - 1, cell, value)).not.toEqual([])
  expect(withCell(1, 10, '999999.0000')).not.toEqual([])
  const withLine = (cells: string[], at = movement) => faults(seal, lines.toSpliced(at, 0, lineOf(cells)).join('\r\n'))
  const copied = cellsOf(lines[movement] ?? '')
  expect(withLine(copied.with(1, (copied[1] ?? '').toUpperCase()))).not.toEqual([])
  expect(withLine(copied.with(1, 'a number'))).not.toEqual([])
  expect(withLine(copied.with(1, ''))).not.toEqual([])
  // A quotation mark that is never closed would take the rest of the file into one cell.
  expect(faults(seal, csv.replace('"123.4567"', '"123.4567'))).not.toEqual([])
  // A remark with line breaks and quotation marks is one cell.
  expect(withCell(movement, 7, 'first\r\n""x"",""y""\r\n')).toEqual([])
})
