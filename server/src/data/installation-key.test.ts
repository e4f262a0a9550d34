import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OK } from '@tallyroom/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { connect, type Database, many, one, run, sql } from './sql.ts'
import { acceptKey, loadKey, makeKey } from './installation-key.ts'
import { parseKey } from '../config/parse-key.ts'
import { idempotencyKeyReader } from './idempotency.ts'
import { PASSWORD, startTestServer } from '../testing/app.ts'
import { freshDatabase } from '../testing/postgres.ts'
import { browser, codeOf, withAuthenticator } from '../testing/sign-in.ts'
import { outcomeOf } from '../testing/outcome.ts'

const bytes = randomBytes(32)
const key = makeKey(bytes)

describe('sealing', () => {
  test('opens for its own row and key only, and not with a changed bit', () => {
    const sealed = key.sealSecret('JBSWY3DPEHPK3PXP', 'second_factors/1')
    expect(sealed).not.toContain('JBSWY3DP')
    expect(key.sealSecret('JBSWY3DPEHPK3PXP', 'second_factors/1')).not.toBe(sealed)
    expect(makeKey(bytes).openSecret(sealed, 'second_factors/1')).toBe('JBSWY3DPEHPK3PXP')
    expect(key.openSecret(sealed, 'second_factors/2')).toBeUndefined()
    expect(makeKey(randomBytes(32)).openSecret(sealed, 'second_factors/1')).toBeUndefined()
    const raw = Buffer.from(sealed.slice(3), 'base64url')
    for (let bit = 0; bit < raw.length * 8; bit++) {
      const bent = Buffer.from(raw)
      bent[bit >> 3] = (bent[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(key.openSecret(`s1.${bent.toString('base64url')}`, 'second_factors/1')).toBeUndefined()
    }
    for (const text of ['', 's1.', 's1.AAAA', 'JBSWY3DPEHPK3PXP']) expect(key.openSecret(text, 'x')).toBeUndefined()
  })

  test('has a key for each purpose', () => {
    expect(key.derive('a')).toEqual(makeKey(bytes).derive('a'))
    expect(key.derive('a')).not.toEqual(key.derive('b'))
  })

  test.each([
    ['hex', bytes.toString('hex')],
    ['HEX', bytes.toString('hex').toUpperCase()],
    ['base64', bytes.toString('base64')],
    ['base64url', `${bytes.toString('base64url')}\n`],
  ])('is read from %s', (_, text) => {
    expect(parseKey(text)).toEqual(bytes)
  })

  test.each(['', 'secret', bytes.toString('hex').slice(1), bytes.toString('base64').slice(2)])(
    '%j is no key',
    (text) => {
      expect(parseKey(text)).toBeUndefined()
    },
  )
})

describe('the key of a database', () => {
  const open: Database[] = []
  afterAll(async () => {
    for (const db of open) await db.end()
  })
  const fresh = async () => {
    const db = connect({ ...(await freshDatabase()), max: 4 })
    open.push(db)
    return db
  }
  const sources = (given?: Buffer) => ({
    installationKey: given,
    dataDir: mkdtempSync(join(tmpdir(), 'tallyroom-key-')),
  })

  test('is made once, readable by its owner only, and never stored in the database', async () => {
    const [db, here] = [await fresh(), sources()]
    const first = await loadKey(db, here)
    const file = join(here.dataDir, 'installation.key')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await loadKey(db, here)).derive('x')).toEqual(first.derive('x'))
    const made = parseKey(readFileSync(file, 'utf8'))
    const stored = await one<{ text: string }>(db, sql`select string_agg(i::text, '') as text from installation i`)
    expect(stored?.text).not.toContain(made?.toString('hex'))
    expect(stored?.text).not.toContain(made?.toString('base64'))
  })

  test('a different key, a missing key and a damaged file are each refused, and no new key replaces them', async () => {
    const [db, here] = [await fresh(), sources()]
    await loadKey(db, here)
    await expect(loadKey(db, sources(bytes))).rejects.toThrow(/not the key of this installation.*npm run key -- accept/)
    const elsewhere = sources()
    await expect(loadKey(db, elsewhere)).rejects.toThrow(/missing.*TALLYROOM_KEY/)
    await expect(loadKey(db, elsewhere)).rejects.toThrow(/missing/)
    writeFileSync(join(elsewhere.dataDir, 'installation.key'), 'spoiled')
    await expect(loadKey(db, elsewhere)).rejects.toThrow(/does not hold a key/)
  })

  test('several first starts at once get the same key, or do not start', async () => {
    const [db, here] = [await fresh(), sources()]
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadKey(db, here)))
    expect(new Set(keys.map((one) => one.derive('x').toString('hex'))).size).toBe(1)
    const other = await fresh()
    const starts = await Promise.allSettled(Array.from({ length: 8 }, () => loadKey(other, sources())))
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a lost key can be replaced by `accept`', async () => {
    const db = await fresh()
    await loadKey(db, sources())
    const here = sources()
    await acceptKey(db, here)
    await loadKey(db, here)
    await acceptKey(db, sources(bytes))
    await loadKey(db, sources(bytes))
    await expect(loadKey(db, here)).rejects.toThrow(/not the key of this installation/)
  })
})

describe('what the key protects', () => {
  test('[S12] secrets of authenticators are sealed, also those stored before there was a key', async () => {
    const server = await startTestServer()
    const { agent, cs } = await server.family()
    const { secret } = await withAuthenticator(server, agent)
    const begun = await cs.call('factor/begin', { password: PASSWORD })
    const { db } = server.services
    const stored = () =>
      many<{ text: string }>(db, sql`select coalesce(totp_secret, totp_pending) as text from second_factors`)
    const isSealed = async () => (await stored()).every(({ text }) => text.startsWith('s1.'))
    expect(await isSealed()).toBe(true)
    await run(db, sql`update second_factors set totp_secret = ${secret} where account_id = ${agent.id}`)
    await run(db, sql`update second_factors set totp_pending = ${begun.secret} where account_id = ${cs.id}`)
    const next = await startTestServer()
    expect(await isSealed()).toBe(true)
    const { ask } = browser(next)
    await ask('login', { username: agent.username, password: PASSWORD })
    expect((await ask('googleAuth', { username: agent.username, secret: await codeOf(server, secret) })).code).toBe(OK)
    await cs.call('factor/confirm', { code: await codeOf(server, begun.secret) })
  })

  test('[S8] without the right key codes cannot be checked, but a recovery code works', async () => {
    const server = await startTestServer()
    const { agent } = await server.family()
    const { secret, recovery } = await withAuthenticator(server, agent)
    server.services.key = makeKey(bytes)
    const { ask } = browser(server)
    const form = { username: agent.username, password: PASSWORD }
    await ask('login', form)
    const step = (code: string) => ask('googleAuth', { username: agent.username, secret: code })
    for (let n = 0; n < 7; n++)
      expect(await step(await codeOf(server, secret))).toMatchObject({
        refusal: 'factor.unreadable',
        message: expect.stringContaining('Use a recovery code'),
      })
    const proved = await step(recovery[0] ?? '')
    const { auth_done } = proved.data as { auth_done: string }
    expect((await ask('login', { ...form, auth_done })).code).toBe(OK)
    await agent.call('factor/remove', { password: PASSWORD, code: recovery[1] ?? '' })
    expect((await ask('login', form)).code).toBe(OK)
  })

  test('[R11] the same request_id with another new password is refused, and its hash is useless without the key', async () => {
    const server = await startTestServer()
    const { agent, cs } = await server.family()
    const username = `k${randomBytes(4).toString('hex')}`
    const twice = async (name: 'user/add' | 'user/edit' | 'user/paymentPassword', form: object, other: object) => {
      const request_id = randomUUID()
      const ask = async (input: object) => outcomeOf(await agent.ask(name, { ...input, request_id } as never))
      return [await ask(form), await ask(form), await ask({ ...form, ...other })]
    }
    const first = { password: 'first123', password_confirmation: 'first123' }
    const second = { password: 'other123', password_confirmation: 'other123' }
    expect(await twice('user/add', { username, ...first }, second)).toEqual(['done', 'done', 'request.id_reused'])
    expect(await twice('user/edit', { id: cs.id, ...first }, second)).toEqual(['done', 'done', 'request.id_reused'])
    const pay = { payment_password: 'other123', payment_password_confirmation: 'other123' }
    expect(
      await twice(
        'user/paymentPassword',
        { password: PASSWORD, payment_password: 'first123', payment_password_confirmation: 'first123' },
        pay,
      ),
    ).toEqual(['done', 'done', 'request.id_reused'])
    const read = (secret: Buffer) =>
      idempotencyKeyReader(makeKey(secret), 30)('user/add', { username, ...first }, 'params').hash
    expect(read(bytes)).not.toEqual(read(randomBytes(32)))
  })
})
