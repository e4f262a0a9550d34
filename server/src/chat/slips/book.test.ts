import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { mediaKey } from '../../data/media/keys.ts'
import { many, one, run, sql } from '../../data/sql.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { cashFamily } from '../../testing/cash.ts'
import { copies } from '../../testing/slips/copies.ts'
import { dice } from '../../testing/ledger/dice.ts'
import { again, draw, randomSlip } from '../../testing/slips/designs.ts'
import { asSuperuser } from '../../testing/postgres.ts'
import { mediaIdOf } from '../media-url.ts'
import { compareNext } from './book.ts'

const server = await startTestServer()
const random = dice(4)
const slip = randomSlip(random)
const picture = await draw(4, slip)
const urlOf = (image: Buffer) => `data:image/jpeg;base64,${image.toString('base64')}`
const asks = async (member: Person, amount: string, image?: Buffer) =>
  (await member.call('cash/ask', { direction: 'in', amount, ...(image ? { slip: urlOf(image) } : {}) })).id
/** The server compares them by itself; here also two others at once. */
const compared = async () => {
  const waiting = () => many(server.services.db, sql`select 1 from slip_pictures where due_at is not null`)
  await expect
    .poll(async () => {
      await Promise.all([compareNext(server.services), compareNext(server.services)])
      return waiting()
    })
    .toEqual([])
}
const rowOf = async (viewer: Person, id: number) => (await viewer.call('cash/list', { id })).data[0]

test('[CASH-09] a slip that was used before warns on both requests, with the way to the other one', async () => {
  const { agent, cs, member } = await cashFamily(server)
  const [second, third] = [
    await server.person({ role: Role.member, under: agent }),
    await server.person({ role: Role.member, under: agent }),
  ]
  const first = await asks(member, '30', picture)
  await compared()
  expect(await rowOf(cs, first)).toMatchObject({ slip_compared: 1, warnings: [] })

  // The same amount as well: one warning says it.
  const used = await asks(second, '30', await copies.photographed(picture, random))
  const next = await asks(third, '70', await draw(4, again(slip, random)))
  await compared()
  const { data } = await cs.call('cash/list', { states: ['asked'] })
  expect(data.map(({ id, warnings }) => [id, warnings])).toEqual([
    [first, ['slip_used']],
    [used, ['slip_used']],
    [next, []],
  ])
  expect(data[1]?.alike).toMatchObject([
    { warning: 'slip_used', id: first, name: `Nick ${member.username}`, state: 'asked' },
  ])
  expect(data[0]?.alike).toMatchObject([{ id: used, name: `Nick ${second.username}` }])
  // It never blocks.
  await cs.call('cash/take', { id: used })
  await cs.call('cash/pay', { id: used, amount: '30' })
  expect(await rowOf(cs, first)).toMatchObject({ alike: [{ id: used, state: 'paid' }] })

  // Another group of the platform learns only that there is one.
  const other = await server.person({ role: Role.agent, under: agent })
  const stranger = await server.person({ role: Role.member, under: other })
  const there = await asks(stranger, '30', await copies.cropped(picture, random))
  await compared()
  expect((await rowOf(other, there))?.alike).toMatchObject([
    { id: null, name: '' },
    { id: null, name: '' },
  ])
})

test('[CASH-09] of many requests with one slip at once each has the warning, with several comparing', async () => {
  const { agent, cs } = await cashFamily(server)
  const people = await Promise.all(Array.from({ length: 6 }, () => server.person({ role: Role.member, under: agent })))
  const image = await draw(1, randomSlip(random))
  await Promise.all(people.map((member, i) => asks(member, `${20 + i}`, image)))
  await compared()
  const { data } = await cs.call('cash/list', { states: ['asked'] })
  expect(data.map(({ slip_compared, warnings }) => [slip_compared, ...warnings])).toEqual(
    people.map(() => [1, 'slip_used']),
  )
})

test('[CASH-09] another member who asks for the same amount within five minutes is a warning, an earlier one is not', async () => {
  const { agent, cs, member } = await cashFamily(server)
  const second = await server.person({ role: Role.member, under: agent })
  const first = await asks(member, '100')
  const earlier = (minutes: number) =>
    asSuperuser((tx) =>
      run(
        tx,
        sql`update cash_requests set asked_at = asked_at - make_interval(mins => ${minutes}) where id = ${first}`,
      ),
    )
  await earlier(4)
  const id = await asks(second, '100')
  expect(await rowOf(cs, id)).toMatchObject({
    warnings: ['same_amount'],
    alike: [{ id: first }],
  })
  await earlier(2)
  expect((await rowOf(cs, id))?.warnings).toEqual([])
})

test('[CASH-09] a picture that cannot be read is given up after three tries, and holds up no other', async () => {
  const { agent, member, out } = await cashFamily(server)
  const { db, mediaStores } = server.services
  const second = await server.person({ role: Role.member, under: agent })
  const { id } = await member.call('cash/ask', { ...out('30'), slip: urlOf(picture) })
  // That of points out is not compared, so nobody waits for it.
  expect((await rowOf(agent, id))?.slip_compared).toBeUndefined()
  const stored = await one<{ slip: string; topId: number }>(
    db,
    sql`select slip, top_id as "topId" from cash_requests where id = ${id}`,
  )
  await mediaStores.all.put(mediaKey(mediaIdOf(stored?.slip ?? '')), Buffer.from('no picture'))
  // Only slips of points in are compared.
  await run(
    db,
    sql`insert into slip_pictures (cash_id, top_id, member_id, asked_at, due_at)
      values (${id}, ${stored?.topId ?? 0}, ${member.id}, now(), now())`,
  )
  await asks(second, '31', picture)
  const again = sql`update slip_pictures set due_at = now() where cash_id = ${id} and due_at is not null`
  await expect
    .poll(async () => {
      await run(db, again)
      return many(db, sql`select due_at as due, tries from slip_pictures where cash_id = ${id}`)
    })
    .toEqual([{ due: null, tries: 3 }])
  expect((await rowOf(agent, id))?.slip_compared).toBeUndefined()
  await compared()
})
