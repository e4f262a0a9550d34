import { TransferKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { besideTransaction, many, one, run, type Sql, sql, type Tx } from '../../data/sql.ts'
import { startTestServer } from '../../testing/app.ts'
import { asSuperuser } from '../../testing/postgres.ts'
import { furtherBack, headText, wayBack } from './hashes.ts'
import { sealAll, sealBlock } from './sealer.ts'
import { verifySeal } from './verify.ts'

const server = await startTestServer()
const { db } = server.services

/** Transfers of several kinds, with an envelope, turnover, remarks and a correction. */
const move = async ({ top, agent, cs, member }: Awaited<ReturnType<typeof server.family>>) => {
  for (const amount of ['10.0001', '5', '-2.5', '100'])
    await (amount === '5' ? cs : agent).call('user/transaction', { id: member.id, amount, remark: `Week ${amount}` })
  const { transaction_id } = await agent.call('user/transaction', { id: member.id, amount: '3' })
  await top.call('transaction/correct', { transaction_id, remark: 'a slip' })
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const offer = await cs.call('transaction/add', {
    member_id: member.id,
    type: TransferKind.send,
    amount: '7',
    audit_amount: '7',
  })
  await member.call('envelope/answer', { transaction_id: offer.transaction_id, accept: true })
}
const verify = (known: string[] = []) => db.transact((tx) => verifySeal(tx, known))

const family = await server.family()
await move(family)
await sealAll(db)
await move(await server.family())
await sealAll(db)
const whole = await verify()

test('[BOOK-05] what was posted is sealed once, in blocks that lead to one head', async () => {
  expect(whole).toMatchObject({ breaches: [], waiting: 0, blocks: 2n })
  expect(whole.head).toMatch(/^2:[0-9a-f]{64}$/)
  const postings = await one<{ n: number }>(db, sql`select count(*)::int as n from postings`)
  expect(whole.rows).toBe(postings?.n)
  await sealAll(db)
  expect(await verify([whole.head])).toEqual(whole)
})

test('[BOOK-05] of two that seal at the same time one waits for its next turn, and nothing is sealed twice', async () => {
  await family.agent.call('user/transaction', { id: family.member.id, amount: '1' })
  const passes = await Promise.all([sealBlock(db), sealBlock(db), sealBlock(db)])
  expect(passes.filter((pass) => pass !== undefined).length).toBeGreaterThan(0)
  await sealAll(db)
  expect(await verify([whole.head])).toMatchObject({ breaches: [], waiting: 0 })
})

test('[BOOK-05] a transfer that has its numbers first and commits last is sealed all the same', async () => {
  const late = await server.family()
  await late.agent.call('user/transaction', { id: late.member.id, amount: '1' })
  await sealAll(db)
  const before = await verify()
  // As a batch does it, with a commit that takes long: the number and the time are older than those of the others.
  const id = sql`(select min(p.transfer_id) from postings p join wallets w on w.id = p.wallet_id where w.account_id = ${late.member.id})`
  await db.transact(async (tx) => {
    await run(
      tx,
      sql`with made as (insert into transfers (id, transaction_id, top_id, op, actor_id, funder_id, target_id, wallet, amount, created_at)
          select nextval('transfers_id_seq'), gen_random_uuid(), top_id, op, actor_id, funder_id, target_id, wallet, 5, clock_timestamp()
          from transfers where id = ${id} returning id),
        moved as (update wallets w set seq = w.seq + 1, balance = w.balance + 5 * sign(p.amount)::int from postings p
          where p.transfer_id = ${id} and w.id = p.wallet_id returning w.id, w.seq, w.balance, w.top_id, sign(p.amount)::int as sign)
        insert into postings (wallet_id, seq, top_id, transfer_id, amount, balance_after)
          select m.id, m.seq, m.top_id, made.id, 5 * m.sign, m.balance from moved m, made`,
    )
    await besideTransaction(async () => {
      await family.agent.call('user/transaction', { id: family.member.id, amount: '1' })
      await sealAll(db)
      expect(await verify()).toMatchObject({ breaches: [], waiting: 0, rows: before.rows + 2 })
    })
  })
  expect((await verify()).waiting).toBe(2)
  await sealAll(db)
  expect(await verify()).toMatchObject({ breaches: [], waiting: 0, rows: before.rows + 4 })
})

/** Undoes what was tried. */
class Undo extends Error {}
const after = async (tamper: (tx: Tx) => Promise<unknown>, known: string[] = []) => {
  let breaches: string[] = []
  await asSuperuser(async (tx) => {
    await tamper(tx)
    ;({ breaches } = await verifySeal(tx, known))
    throw new Undo()
  }).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error
  })
  return breaches
}

/** Columns of which each is changed by itself. A changed key is a removed row and one that was put in. */
const columnsOf = async (table: string): Promise<{ name: string; type: string }[]> =>
  many(
    db,
    sql`select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = ${table} order by column_name`,
  )
const changed = ({ name, type }: { name: string; type: string }): string => {
  if (type === 'boolean') return `not ${name}`
  if (type === 'uuid') return 'gen_random_uuid()'
  if (type === 'text') return `coalesce(${name}, '') || '!'`
  if (type.startsWith('timestamp')) return `${name} + interval '1 microsecond'`
  return name === 'wallet' ? `3 - ${name}` : `coalesce(${name}, 0) + 1`
}

test('[BOOK-05] 100 of 100 changes behind the triggers are named: any column, removed, put in and swapped rows', async () => {
  const postings = await many<{ walletId: number; seq: bigint; id: bigint; number: string }>(
    db,
    sql`select p.wallet_id as "walletId", p.seq, t.id, t.transaction_id as number
      from postings p join transfers t on t.id = p.transfer_id order by p.wallet_id, p.seq`,
  )
  const at = (n: number) => postings[(n * 7919) % postings.length] as (typeof postings)[number]
  const here = (row: (typeof postings)[number]) => sql`wallet_id = ${row.walletId} and seq = ${row.seq}`
  const text = (of: string): Sql => ({ text: of, values: [] })
  const transferColumns = await columnsOf('transfers')
  const postingColumns = (await columnsOf('postings')).filter(({ name }) => name !== 'transfer_id')
  const attacks: ((tx: Tx) => Promise<unknown>)[] = []
  const names: string[] = []
  const add = (name: string, tamper: (tx: Tx) => Promise<unknown>) => {
    names.push(name)
    attacks.push(tamper)
  }
  for (let n = 0; attacks.length < 100; n++) {
    const [one, other] = [at(n), at(n + 1)]
    const posting = `posting ${one.walletId}/${one.seq} `
    const column = postingColumns[n % postingColumns.length] as (typeof postingColumns)[number]
    const field = transferColumns[n % transferColumns.length] as (typeof transferColumns)[number]
    add(posting, (tx) =>
      run(
        tx,
        sql`update postings set ${text(column.name)} = ${text(column.name === 'seq' ? 'seq + 100000' : changed(column))} where ${here(one)}`,
      ),
    )
    add(posting, (tx) =>
      run(
        tx,
        sql`update transfers set ${text(field.name)} = ${text(field.name === 'id' ? 'id + 100000' : changed(field))} where id = ${one.id}`,
      ),
    )
    add(posting, (tx) => run(tx, sql`update postings set transfer_id = ${other.id} where ${here(one)}`))
    add(posting, (tx) => run(tx, sql`delete from postings where ${here(one)}`))
    add(posting, (tx) => run(tx, sql`delete from transfers where id = ${one.id}`))
    add(`posting ${one.walletId}/1000 `, (tx) =>
      run(
        tx,
        sql`insert into postings select wallet_id, 1000, top_id, transfer_id, leg, amount, balance_after, created_at from postings where ${here(one)}`,
      ),
    )
    add('has no postings', (tx) =>
      run(
        tx,
        sql`insert into transfers select (jsonb_populate_record(t, jsonb_build_object('id', 999999, 'transaction_id', gen_random_uuid(), 'bet_id', null, 'corrects', null, 'is_envelope', false))).* from transfers t where id = ${one.id}`,
      ),
    )
    add(posting, (tx) =>
      run(
        tx,
        sql`update postings p set amount = q.amount, balance_after = q.balance_after, transfer_id = q.transfer_id, leg = q.leg,
      created_at = q.created_at from postings q where p.wallet_id = ${one.walletId} and p.seq = ${one.seq} and q.wallet_id = ${other.walletId} and q.seq = ${other.seq}`,
      ),
    )
  }
  const missed: string[] = []
  for (const [n, tamper] of attacks.slice(0, 100).entries()) {
    const breaches = await after(tamper)
    if (!breaches.some((breach) => breach.includes(names[n] as string)))
      missed.push(`${n} ${names[n]}: ${breaches.join('; ')}`)
  }
  expect(missed).toEqual([])
  expect((await verify()).breaches).toEqual([])
})

test('[BOOK-05] changes of the seal itself are named; a seal that was made once more as a whole is found by a noted head', async () => {
  const named = async (statement: Sql, what: string) =>
    expect((await after((tx) => run(tx, statement))).join('; ')).toContain(what)
  await named(sql`update seal_blocks set root = sha256('a') where block = 1`, 'block 1 is not as it was sealed')
  await named(sql`update seal_blocks set head = sha256('a') where block = 1`, 'block 1 is not as it was sealed')
  await named(sql`update seal_blocks set sealed_at = sealed_at - interval '1 day' where block = 2`, 'block 2 is not')
  await named(sql`update seal_parts set hash = sha256('a') where block = 2`, 'block 2 is not as it was sealed')
  await named(sql`delete from seal_blocks where block = 1`, 'block 1 was removed')
  await named(sql`delete from seal_parts where block = 2`, 'block 2 is not')
  await named(sql`update sealed_wallets set seq = seq + 1`, 'is sealed to')
  // As if the remark had been erased with a person.
  await named(
    sql`with t as (select p.wallet_id, p.seq, t.id, t.remark, b.salt from transfers t join postings p on p.transfer_id = t.id
          join seal_parts k on k.wallet_id = p.wallet_id and p.seq between k.from_seq and k.to_seq join seal_blocks b on b.block = k.block
          where t.remark <> '' limit 1),
        kept as (insert into erased_remarks select wallet_id, seq, sha256(salt || convert_to(remark, 'UTF8')) from t)
      update transfers set remark = '' where id = (select id from t)`,
    'counts as erased, and nobody was erased',
  )
  expect(await after(() => Promise.resolve(), ['9999:ab'])).toEqual(['the seal has no block of the head 9999:ab'])
  const renewed = await after(
    async (tx) => {
      await run(
        tx,
        sql`update postings set amount = amount + 1 where wallet_id = (select max(wallet_id) from postings)`,
      )
      for (const table of ['seal_blocks', 'seal_parts', 'sealed_wallets']) await tx.query(`delete from ${table}`, [])
      await sealAll({ ...db, transact: (work) => work(tx) })
    },
    [whole.head],
  )
  expect(renewed).toEqual([expect.stringContaining('head')])
})

test('a posting that is missing before it is sealed is not sealed over', async () => {
  const { agent, member } = await server.family()
  await sealAll(db)
  await agent.call('user/transaction', { id: member.id, amount: '1' })
  await agent.call('user/transaction', { id: member.id, amount: '1' })
  const breaches = await after(async (tx) => {
    await run(
      tx,
      sql`delete from postings p using wallets w where w.id = p.wallet_id and w.account_id = ${member.id} and p.seq = 1`,
    )
    const pass = await sealBlock({ ...db, transact: (work) => work(tx) })
    expect(pass?.missing).toEqual([expect.stringMatching(/^wallet \d+, 1 to 2$/)])
  })
  expect(breaches).toEqual([expect.stringContaining('has 1 postings after 0, which is where its seal ends, not 2')])
  await sealAll(db)
})

test('every block reaches every older one in few steps', () => {
  let longest = 0
  for (let to = 1n; to < 3000n; to += 7n) {
    const way = wayBack(3000n, to)
    expect(way.at(-1)).toBe(to)
    longest = Math.max(longest, way.length)
  }
  expect(longest).toBeLessThan(60)
  expect([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n].map(furtherBack)).toEqual([0n, 0n, 1n, 0n, 1n, 4n, 1n, 0n, 1n])
  expect(headText(3n, Buffer.from([1, 255]))).toBe('3:01ff')
})
