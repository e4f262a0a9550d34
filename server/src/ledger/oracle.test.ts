import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { one, run, sql } from '../db.ts'
import { op } from './rules.ts'
import { Model } from '../testing/ledger-model.ts'
import { outcome, type Someone, world } from '../testing/ledger-world.ts'

const alone = await world()
const crowd = await world({ processes: 3 })

/** Numbers that are the same at every run, so that what fails once fails again (mulberry32). */
const dice = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

test('[TRF-12] [S20] 5,000 random orders in batches are what a naive ledger makes of them one by one', {
  timeout: 120_000,
}, async () => {
  const w = alone
  const random = dice(20_261_121)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const chance = (part: number) => random() < part
  const model = new Model()
  const keep = (who: Someone, floor: bigint | null) => {
    model.people.set(who.id, {
      who,
      main: 0n,
      game: 0n,
      escrow: 0n,
      floor,
      frozen: false,
      event: false,
      asks: false,
      multi: false,
      deduct: false,
      openAsk: false,
    })
    return who
  }
  const top = keep(await w.someone(1, { unlimited: true }), null)
  const agents = [
    keep(await w.someone(2, { under: top, credit: 50_000n }), -50_000n),
    keep(await w.someone(2, { under: top }), 0n),
  ]
  agents.push(keep(await w.someone(2, { under: agents[0] as Someone, credit: 7_777n }), -7_777n))
  const staff: Someone[] = []
  const members: Someone[] = []
  for (const agent of agents) {
    for (let i = 0; i < 2; i++) staff.push(keep(await w.someone(3, { under: agent }), 0n))
    for (let i = 0; i < 4; i++) members.push(keep(await w.someone(4, { under: agent }), 0n))
  }
  const movers = [top, ...agents, ...staff]
  const everyone = [...movers, ...members]

  type Planned = { expected: () => string; real: () => Promise<string> }
  const known: { actor: Someone; id: string; plan: (id: string) => Planned }[] = []
  const offers: { name: string; transactionId?: string }[] = []

  const planMove = (): { actor: Someone; plan: (id: string) => Planned } => {
    const actor = chance(0.1) ? top : pick(movers)
    const own = [...members, ...agents].filter(
      (other) => other.id !== actor.id && other.path.startsWith(actor.groupPath),
    )
    const targetId = chance(0.03) ? 1_000_000 : chance(0.12) ? pick(everyone).id : pick(own).id
    const kind = pick(['list', 'list', 'game', 'room', 'room'] as const)
    const taking = chance(0.4)
    const amount = chance(0.02) ? 0n : BigInt(Math.floor(random() ** 2 * 60_000)) + 1n
    const body = `${targetId} ${kind} ${taking} ${amount}`
    const giving = kind === 'game' ? op.gameSend : op.send
    const takingOp = kind === 'game' ? op.gameDeduct : op.receive
    const terms = { op: taking ? takingOp : giving, wallet: kind === 'game' ? (2 as const) : (1 as const) }
    const name = randomUUID()
    return {
      actor,
      plan: (id) => ({
        expected: () =>
          model.once(actor.id, id, body, () => {
            const [word, offer] = model.move(actor, targetId, amount, kind, taking)
            if (offer) model.offers.set(name, offer)
            return word
          }),
        real: () => {
          const answer = w.ledger.move(
            w.order(actor, targetId, amount, { id, body, ...terms, ...(kind === 'room' ? w.inRoom(terms) : {}) }),
          )
          void answer.then(
            (moved) =>
              moved.status === 4 &&
              !offers.some((offer) => offer.name === name) &&
              offers.push({ name, transactionId: moved.transaction_id }),
            () => {},
          )
          return outcome(answer)
        },
      }),
    }
  }
  const planAnswer = (): { actor: Someone; plan: (id: string) => Planned } => {
    const offer = chance(0.8) ? offers[offers.length - 1 - Math.floor(random() * 6)] : pick(offers)
    const name = offer?.name ?? ''
    const target = model.offers.get(name)?.target
    const actor = chance(0.1) || target === undefined ? pick(members) : model.of(target).who
    const accept = chance(0.7)
    const transactionId = offer?.transactionId ?? randomUUID()
    return {
      actor,
      plan: (id) => ({
        expected: () => model.once(actor.id, id, String(accept), () => model.answer(actor, name, accept)),
        real: () => outcome(w.ledger.answer(w.reply(actor, transactionId, accept, id))),
      }),
    }
  }
  const flags = {
    frozen: 'status',
    event: 'event_mode',
    asks: 'withdraw_confirm',
    multi: 'is_multiple_wallet',
    deduct: 'deduct_point_button_visible',
  } as const
  const change = async () => {
    const facts = model.of(pick(everyone).id)
    const flag = pick(Object.keys(flags) as (keyof typeof flags)[])
    facts[flag] = flag === 'frozen' || flag === 'event' ? !facts[flag] && chance(0.15) : !facts[flag]
    const value = flag === 'frozen' ? !facts.frozen : facts[flag]
    await w.db.query(`update accounts set ${flags[flag]} = $1 where id = $2`, [value ? 1 : 0, facts.who.id])
  }

  const seen = new Map<string, number>()
  for (let made = 0; made < 5000; ) {
    for (let i = 0; i < 3; i++) await change()
    const batch: Planned[] = []
    for (let size = 1 + Math.floor(random() * 60); size > 0; size--, made++) {
      const again = chance(0.08) ? pick(known) : undefined
      const { actor, plan } = again && chance(0.8) ? again : chance(0.2) ? planAnswer() : planMove()
      // Now and then another order takes an id that its actor has used.
      const used = chance(0.02) ? known.find((other) => other.actor.id === actor.id)?.id : undefined
      const id = again?.actor.id === actor.id ? again.id : (used ?? randomUUID())
      known.push({ actor, id, plan })
      batch.push(plan(id))
    }
    const expected = batch.map((planned) => planned.expected())
    const real = await Promise.all(batch.map((planned) => planned.real()))
    expect(real).toEqual(expected)
    for (const word of real) seen.set(word, (seen.get(word) ?? 0) + 1)
  }

  for (const { who, main, game, escrow } of model.people.values()) {
    expect([await w.balance(who), (await w.balance(who, 2)) ?? 0n, (await w.balance(who, 3)) ?? 0n]).toEqual([
      main,
      game,
      escrow,
    ])
    const total = await one<{ given: bigint; taken: bigint }>(
      w.db,
      sql`select coalesce(sum(total_in), 0)::bigint as given, coalesce(sum(total_out), 0)::bigint as taken from day_totals where account_id = ${who.id}`,
    )
    expect([total?.given, total?.taken]).toEqual(model.given.get(who.id) ?? [0n, 0n])
  }
  // A model that never comes to a word has tested nothing about it.
  const words = [
    'success',
    'pending',
    'rejected',
    'account.not_found',
    'access.denied',
    'request.id_reused',
    'envelope.not_found',
    'envelope.already_settled',
    'envelope.member_not_enough',
    'transfer.amount_invalid',
    'transfer.to_yourself',
    'transfer.frozen',
    'transfer.event_mode',
    'transfer.not_enough',
    'transfer.over_credit',
    'transfer.member_not_enough',
    'transfer.one_open_at_a_time',
  ]
  for (const word of words) expect(seen.get(word) ?? 0, word).toBeGreaterThan(4)
  await w.isSound()
})

test('[TRF-12] [R10] the same orders thrown at three processes at once leave a sound ledger', {
  timeout: 120_000,
}, async () => {
  const w = crowd
  const random = dice(7)
  const top = await w.someone(1, { unlimited: true })
  const agents = await Promise.all([1, 2, 3].map(() => w.someone(2, { under: top, points: 100_000n, credit: 5_000n })))
  const staff = await Promise.all(agents.map((agent) => w.someone(3, { under: agent })))
  const members = await Promise.all([...agents, ...agents].map((agent) => w.someone(4, { under: agent })))
  for (const { id } of members.slice(3)) await run(w.db, sql`update accounts set withdraw_confirm = 1 where id = ${id}`)
  const open: { target: Someone; id: string }[] = []
  const words = new Set<string>()
  const client = async (at: number) => {
    const ledger = w.ledgers[at % 3] ?? w.ledger
    for (let i = 0; i < 60; i++) {
      const offer = random() < 0.4 ? open.splice(Math.floor(random() * open.length), 1)[0] : undefined
      if (offer) {
        words.add(await outcome(ledger.answer(w.reply(offer.target, offer.id, random() < 0.7))))
        continue
      }
      const at = Math.floor(random() * 6)
      const target = members[at] as Someone
      const actor = random() < 0.1 ? top : ((random() < 0.5 ? agents : staff)[at % 3] as Someone)
      const kind = random() < 0.4 ? op.receive : op.send
      const terms = { op: kind, id: randomUUID() }
      const order = w.order(
        actor,
        target.id,
        BigInt(1 + Math.floor(random() * 3000)),
        random() < 0.6 ? w.inRoom(terms) : terms,
      )
      const tries = [ledger, w.ledgers[(at + 1) % 3] ?? ledger].map(async (one) => {
        const moved = one.move(order)
        const word = await outcome(moved)
        words.add(word)
        return word === 'pending' ? (await moved).transaction_id : undefined
      })
      const [id, same] = await Promise.all(tries)
      expect(same).toBe(id)
      if (id) open.push({ target, id })
    }
  }
  await Promise.all(Array.from({ length: 24 }, (_, at) => client(at)))
  for (const word of ['success', 'pending', 'rejected']) expect([...words]).toContain(word)
  await w.isSound()
})
