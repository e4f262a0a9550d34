import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fold } from '@tallyroom/contract/text/fold'
import pg from 'pg'
import { expect, test } from 'vitest'
import { makeFirstAccount } from '../accounts/first-account.ts'
import { startTestServer } from '../testing/app.ts'
import { freshDatabase, superuserOf } from '../testing/postgres.ts'
import { migrate, readMigrations } from './migrate.ts'
import { connect, many, sql } from './sql.ts'

/** All letters that Unicode has, but those that neither text nor the database can hold. */
const letters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((letter) => /[^\p{Unassigned}\p{Private_Use}]/u.test(letter))

const words = [
  'Nguyễn Văn Đức',
  'Nguyễn Văn Đức'.normalize('NFD'),
  'ＶＩＰ　１２３',
  'ОДИССЕЙ ΟΔΥΣΣΕΥΣ Семён',
  'İstanbul ı',
  'a  b \t\n c',
  'A  B',
  '\u202a0912‑345\u202c',
  "O’Brien O'Brien",
  'র‍্যাঙ্ক ০৯১২',
  'မြန်မာ ၀၉',
  'ที่ ๑๒',
  'நிதி ௧',
  'ﾊﾝｶｸ ㎏ ﬁ ①',
  'x\u3164y\u2800z\u00ad\ufe0f',
]

test('[TEXT-02] the database folds every letter as the program does', async () => {
  const { db } = (await startTestServer()).services
  const around = letters.flatMap((letter) => [`${letter}`, `Á${letter}\u0301\u0323b`])
  const given = [...around, ...words]
  const differing: string[] = []
  for (let at = 0; at < given.length; at += 50_000) {
    const part = given.slice(at, at + 50_000)
    const rows = await many<{ folded: string; known: boolean }>(
      db,
      // Letters that are newer than the database's Unicode have no properties there.
      sql`select fold(t.word) as folded, unicode_assigned(t.word) as known
        from unnest(${part}::text[]) with ordinality t(word, n) order by n`,
    )
    rows.forEach(({ folded, known }, n) => {
      const word = part[n] ?? ''
      if (known && folded !== fold(word))
        differing.push(
          `${JSON.stringify(word)} ${word.codePointAt(0)?.toString(16)} ${JSON.stringify([folded, fold(word)])}`,
        )
    })
  }
  expect(letters.length).toBeGreaterThan(140_000)
  expect([differing.length, differing.slice(0, 20)]).toEqual([0, []])
})

test('[TEXT-02] [RUN-01] names of before become NFC and visible, and a copy of before writes beside it', async () => {
  const config = superuserOf(await freshDatabase())
  const client = new pg.Client(config)
  await client.connect()
  const directory = mkdtempSync(join(tmpdir(), 'tallyroom-migrations-'))
  try {
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    const all = readMigrations()
    const at = all.findIndex(({ name }) => name.endsWith('-folded-searches.sql'))
    for (const { name, sql: text } of all.slice(0, at)) writeFileSync(join(directory, name), text)
    await migrate(config, { directory })
    const db = connect(config)
    await makeFirstAccount(db, 'a password of some length')
    await db.end()
    const nickname = 'Nguyễn'.normalize('NFD')
    const put = (name: string, text: string) =>
      client.query('UPDATE accounts SET nickname = $2 WHERE username = $1', [name, text])
    const names = async () =>
      (
        await client.query<{ nickname: string; nickname_folded: string }>(
          'SELECT nickname, nickname_folded FROM accounts ORDER BY id LIMIT 1',
        )
      ).rows[0]
    await put('admin', nickname)
    await migrate(config)
    expect(await names()).toEqual({ nickname: 'Nguyễn', nickname_folded: 'nguyen' })
    await put('admin', 'Ｖｉｐ')
    expect(await names()).toEqual({ nickname: 'Ｖｉｐ', nickname_folded: 'vip' })
  } finally {
    await client.end()
    rmSync(directory, { recursive: true })
  }
})
