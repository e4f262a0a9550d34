import { Role, TransferKind, TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { turnoverLimits } from '../read/turnover-limits.ts'
import { accountFlags as flags, newAccountState } from '../../testing/ledger/model-account.ts'
import { ApprovalModel } from '../../testing/ledger/model-approval.ts'
import { Model } from '../../testing/ledger/model.ts'
import { CashModel } from '../../testing/ledger/model-cash.ts'
import { everyOutcome } from '../../testing/ledger/outcomes.ts'
import { approvalPlans } from '../../testing/ledger/plans-approval.ts'
import { cashPlans, type NamedTransfer, type Plan, type Planned } from '../../testing/ledger/plans-cash.ts'
import { expireDue, passEnvelopeTimes } from '../../testing/ledger/time.ts'
import { dice } from '../../testing/ledger/dice.ts'
import { outcome, type Someone, world } from '../../testing/ledger/world.ts'

/** A time zone in which the day, by which limits count, does not end during the test. */
const timeZone = `Etc/GMT${new Date().getUTCHours() < 12 ? '-' : '+'}6`
const alone = await world({ timeZone })

test('[TRF-12] [S20] 5,000 random orders in batches have the same outcomes as one by one in a simple ledger', {
  timeout: 120_000,
}, async () => {
  const w = alone
  const random = dice(20_261_121)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const chance = (part: number) => random() < part
  const model = new Model()
  const cash = new CashModel(model)
  const approvals = new ApprovalModel(model)
  model.approvals = approvals
  const keep = (who: Someone, floor: bigint | null) => {
    model.people.set(who.id, newAccountState(who, floor))
    return who
  }
  const top = keep(await w.someone(1, { unlimited: true }), null)
  const agents = [
    keep(await w.someone(2, { under: top, credit: 50_000n }), -50_000n),
    keep(await w.someone(2, { under: top, credit: 900_000n }), -900_000n),
  ]
  agents.push(keep(await w.someone(2, { under: agents[0] as Someone, credit: 7_777n }), -7_777n))
  const admin = keep(await w.someone(1, { under: top }), 0n)
  const staff: Someone[] = []
  const members: Someone[] = []
  for (const agent of agents) {
    for (let i = 0; i < 2; i++) staff.push(keep(await w.someone(3, { under: agent }), 0n))
    for (let i = 0; i < 4; i++) members.push(keep(await w.someone(4, { under: agent }), 0n))
  }
  const limited = agents[1] as Someone
  const limitedStaff = staff.filter(({ groupId }) => groupId === limited.id)
  // The limited group twice: more of its transfers wait for approval.
  const movers = [top, ...agents, ...staff, limited, ...limitedStaff]
  const everyone = [...movers, ...members]

  const known: (Plan & { id: string })[] = []
  const made: NamedTransfer[] = []
  /** An order for both ledgers; the transaction is found by the name that the model gave it. */
  const planned = (
    actor: Someone,
    body: string,
    expect: (name: string) => string,
    order: (id: string) => Promise<{ status: number; transaction_id: string }>,
  ): Plan => {
    const name = randomUUID()
    return {
      actor,
      plan: (id) => ({
        expected: () => model.once(actor.id, id, body, () => expect(name)),
        real: () => {
          const answer = order(id)
          void answer.then(
            ({ transaction_id: transactionId }) => {
              if (model.transfers.has(name) && !made.some((one) => one.name === name))
                made.push({ name, transactionId })
            },
            () => {},
          )
          return outcome(answer)
        },
      }),
    }
  }
  const amountOf = () => (chance(0.02) ? 0n : BigInt(Math.floor(random() ** 2 * 60_000)) + 1n)

  const planMove = (): Plan => {
    const actor = chance(0.1) ? top : pick(movers)
    const own = [...members, ...agents].filter(
      (other) => other.id !== actor.id && other.path.startsWith(actor.groupPath),
    )
    const targetId = chance(0.03) ? 1_000_000 : chance(0.12) ? pick(everyone).id : pick(own).id
    const inRoom = chance(0.6)
    const kind = inRoom
      ? pick([
          'send',
          'send',
          'send',
          'receive',
          'receive',
          'receive',
          'gift',
          'makeUp',
          'gameSend',
          'gameDeduct',
        ] as const)
      : pick(['send', 'send', 'send', 'receive', 'gameSend', 'gameDeduct'] as const)
    const isGame = kind === 'gameSend' || kind === 'gameDeduct'
    const wallet = isGame || (inRoom && chance(0.1)) ? 'game' : 'main'
    const turnover = chance(0.3) ? BigInt(Math.floor(random() * 90_000)) - 500n : undefined
    const moveTerms = { kind, wallet, inRoom, turnover, amount: amountOf(), override: inRoom && chance(0.6) } as const
    const remark = chance(0.7) ? 'why' : ''
    const body = `${targetId} ${JSON.stringify(moveTerms, (_, value: unknown) => String(value))} ${remark}`
    const room = inRoom ? { code: undefined, auditAmount: turnover, overridesTurnover: moveTerms.override } : undefined
    const terms = {
      transferKind: TransferKind[kind],
      wallet: wallet === 'game' ? WalletKind.game : WalletKind.main,
      remark,
      room,
    }
    return planned(
      actor,
      body,
      (name) => model.move(name, actor, targetId, { ...moveTerms, remark }),
      (id) => w.ledger.move(w.order(actor, targetId, moveTerms.amount, { id, body, ...terms })),
    )
  }
  const planAnswer = (): Plan => {
    const offers = made.filter(({ name }) => model.transfers.get(name)?.asked)
    const open = offers.filter(({ name }) => model.transfers.get(name)?.status === 'pending')
    const offer = open.length && chance(0.8) ? pick(open) : chance(0.9) ? offers.at(-1) : pick(made)
    const target = offer && model.transfers.get(offer.name)?.target
    if (!offer || target === undefined || model.of(target).who.role !== Role.member) return planMove()
    const actor = chance(0.1) ? pick(members) : model.of(target).who
    const accept = chance(0.7)
    return planned(
      actor,
      String(accept),
      () => model.answer(actor, offer.name, accept),
      (id) => w.ledger.answer(w.reply(actor, offer.transactionId, accept, id)),
    )
  }
  const planToGame = (): Plan => {
    const actor = pick(members)
    const amount = amountOf()
    return planned(
      actor,
      `${amount}`,
      (name) => model.toGame(name, actor, amount),
      (id) => w.ledger.toGame({ ...w.order(actor, actor.id, amount, { id, body: `${amount}` }), amount }),
    )
  }
  const planCorrection = (): Plan => {
    const earlier = chance(0.05) ? undefined : pick(made)
    const actor = chance(0.3) ? admin : top
    const transactionId = earlier?.transactionId ?? randomUUID()
    return planned(
      actor,
      transactionId,
      (name) => model.correct(name, actor, earlier?.name ?? ''),
      (id) => w.ledger.correct({ ...w.order(actor, 0, 0n, { id, body: transactionId }), transactionId, remark: 'why' }),
    )
  }
  // The limited group pays no requests here: oracle.cash.test.ts is about those.
  const paying = members.filter(({ groupId }) => groupId !== limited.id)
  const decisions = approvalPlans({ w, model, approvals, made, payments: [], everyone, pick, chance })
  const luck = { pick, chance, amountOf }
  const cashOrders = cashPlans({
    w,
    model,
    cash,
    members: paying,
    movers,
    everyone,
    ...luck,
    payments: [],
    paysNext: 0,
  })
  const betIds: string[] = []
  const planBet = (): Planned => {
    const again = betIds.length > 0 && chance(0.5)
    const betId = again ? pick(betIds) : randomUUID()
    if (!again) betIds.push(betId)
    const kind = again && chance(0.8) ? 'win' : 'bet'
    const before = model.bets.get(`${kind} ${betId}`) ?? model.bets.get(`bet ${betId}`)
    const member = chance(0.05) ? pick(everyone) : (members.find(({ id }) => id === before?.member) ?? pick(members))
    const amount = chance(0.3) && before ? before.amount : amountOf()
    const valid = chance(0.3) ? amountOf() : amount
    const bet = { topId: top.topId, memberId: member.id, betId, amount }
    return {
      expected: () => model.bet(kind, betId, member.id, amount, valid),
      real: () =>
        outcome(
          (kind === 'bet' ? w.ledger.bet({ ...bet, valid }) : w.ledger.win(bet)).then(() => ({
            status: TransferStatus.success,
          })),
        ),
    }
  }
  const planVoid = (): Planned => {
    const betId = betIds.length > 0 && chance(0.9) ? pick(betIds) : randomUUID()
    return {
      expected: () => model.voidBet(betId),
      real: () =>
        outcome(w.ledger.voidBet({ topId: top.topId, betId }).then(() => ({ status: TransferStatus.success }))),
    }
  }
  const planFresh = () => {
    const rolled = random()
    if (rolled < 0.08) return planToGame()
    if (chance(0.28)) return cashOrders.plan()
    if (made.length === 0 || rolled >= 0.4) return planMove()
    return rolled < 0.33 ? planAnswer() : planCorrection()
  }
  /** Usually at their default, so that most orders are not refused. */
  const seldom = new Set(['event', 'dialog', 'send', 'receive', 'gift', 'point', 'approves'])
  const changeSettings = async () => {
    const facts = model.of(pick(everyone).id)
    const rolled = random()
    if (rolled < 0.1) {
      facts.frozen = !facts.frozen && chance(0.15)
      await run(w.db, sql`update accounts set status = ${facts.frozen ? 0 : 1} where id = ${facts.who.id}`)
    } else if (rolled < 0.2) {
      facts.multiple = BigInt(Math.floor(random() * 4))
      await run(
        w.db,
        sql`update accounts set transfer_member_flow_limit_multiple = ${facts.multiple} where id = ${facts.who.id}`,
      )
    } else {
      const flag = pick(Object.keys(flags) as (keyof typeof flags)[])
      const defaultValue = flag !== 'event'
      facts[flag] = seldom.has(flag)
        ? facts[flag] === defaultValue && chance(0.25)
          ? !defaultValue
          : defaultValue
        : !facts[flag]
      await w.db.query(`update accounts set ${flags[flag]} = $1 where id = $2`, [facts[flag] ? 1 : 0, facts.who.id])
    }
  }

  await cashOrders.prepare(top)
  await decisions.limit([
    [limited, { transfer: 12_000n, day: 400_000n }],
    ...limitedStaff.map((who) => [who, { transfer: 6_000n, member: 60_000n }] as const),
  ])
  for (const { id } of [...members.slice(4), ...movers]) {
    const it = model.of(id)
    it.asks = it.who.role === Role.member
    it.modifies = it.who.role !== Role.member
    it.approves = it.modifies
    const [asks, modifies] = [it.asks ? 1 : 0, it.modifies ? 1 : 0]
    await run(
      w.db,
      sql`update accounts set withdraw_confirm = ${asks}, flow_limit_modify_permission = ${modifies},
        may_approve = ${modifies} where id = ${id}`,
    )
  }
  // Makes the game account, so that later bets do not wait for it and stay in order.
  await outcome(
    w.ledger
      .win({ topId: top.topId, memberId: 0, betId: 'none', amount: 1n })
      .then(() => ({ status: TransferStatus.success })),
  )
  const seen = new Map<string, number>()
  let expired = 0
  for (let done = 0; done < 5000; ) {
    for (let i = 0; i < 3; i++) await changeSettings()
    await cashOrders.passTimes()
    await decisions.passTimes()
    await passEnvelopeTimes({ w, model, made, chance })
    if (chance(0.4)) expired += await expireDue({ w, model, cash, approvals })
    const batch: Planned[] = []
    for (const { actor, id, plan } of await decisions.plans()) {
      known.push({ actor, id, plan })
      batch.push(plan(id))
      done++
    }
    for (let size = 1 + Math.floor(random() * 60); size > 0; size--, done++) {
      const again = chance(0.08) ? pick(known) : undefined
      const fresh = planFresh()
      const { actor, plan } = again && chance(0.8) ? again : fresh
      // Sometimes an order reuses a request_id of its actor.
      const used = chance(0.02) ? known.find((other) => other.actor.id === actor.id)?.id : undefined
      const id = again?.actor.id === actor.id ? again.id : (used ?? randomUUID())
      known.push({ actor, id, plan })
      batch.push(plan(id))
    }
    // Bets look up the game account first, so they come last in a batch.
    for (let bets = Math.floor(random() * 10); bets > 0; bets--, done++) batch.push(planBet())
    // A void looks up its bet first, so it comes after the bets.
    const voids = Array.from({ length: Math.floor(random() * 3) }, planVoid)
    for (const orders of [batch, voids]) {
      const expected = orders.map((one) => one.expected())
      const real = await Promise.all(orders.map((one) => one.real()))
      expect(real).toEqual(expected)
      for (const word of real) seen.set(word, (seen.get(word) ?? 0) + 1)
    }
    done += voids.length
  }

  for (const it of model.people.values()) {
    const { who, main, game, escrow } = it
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
    // One stored number tells how far each limit is filled.
    const { rows } = await turnoverLimits(w.db, who.id, 'UTC', { page: 1, per_page: 50_000 })
    const left = rows.filter(({ lifted }) => !lifted).map(({ asked, filled }) => asked - filled)
    // Limits of one batch have the same time, so their order is not defined.
    const sorted = (points: bigint[]) => points.toSorted((a, b) => Number(a - b))
    expect(sorted(left)).toEqual(sorted(it.limits.map((limit) => limit.left)))
  }
  // Every outcome must have occurred, else it was not tested.
  for (const word of everyOutcome)
    expect(seen.get(word) ?? 0, `${word} of ${JSON.stringify([...seen])}`).toBeGreaterThan(1)
  expect(expired).toBeGreaterThan(10)
  // Both kinds of requests were paid, else paying was not tested.
  const paid = [...cash.cashRequests.values()].flatMap(({ state, takes }) => (state === 'paid' ? [takes] : []))
  expect([...new Set(paid)]).toHaveLength(2)
  // Every way of holding points was approved, else approving was not tested.
  const held = [...approvals.approvals.values()].flatMap(({ state, waiting }) =>
    state === 'approved' ? [waiting.how] : [],
  )
  expect(new Set(held).size).toBe(4)
  await w.isSound()
})
