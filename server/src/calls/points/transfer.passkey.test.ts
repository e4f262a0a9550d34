import { randomUUID } from 'node:crypto'
import { TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { checkConfirmations } from '../../ledger/check/confirmations.ts'
import { alterPoints, signedPoints } from '../../testing/altered-points.ts'
import { PASSWORD, type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { limit, waitingFor } from '../../testing/approvals.ts'
import { cashFamily } from '../../testing/cash.ts'
import { askFrom, passkeyEnv, withPasskey } from '../../testing/fakes/passkey.ts'
import { asSuperuser } from '../../testing/postgres.ts'
import { outcomeOf } from '../../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(passkeyEnv)
})
const PAYMENT = { payment_password: 'pay1234', payment_password_confirmation: 'pay1234' }
const balanceOf = async (member: Person) => (await member.call('user/view', {})).balance

const paying = async () => {
  const family = await server.family()
  const { passkey, id } = await withPasskey(server, family.agent)
  await family.agent.call('user/paymentPassword', { password: PASSWORD, ...PAYMENT })
  return { ...family, passkey, passkeyId: id }
}

describe('[PASS-02] a passkey confirms points', () => {
  test('in place of the payment password; the signature is stored with the transfer and holds later', async () => {
    const { agent, member, passkey, passkeyId } = await paying()
    const move = { id: member.id, amount: '12.5', type: WalletKind.main, request_id: randomUUID() }
    expect(await agent.ask('user/transaction', move)).toBeRefusal('transfer.needs_payment_password')
    const signature = await signedPoints(server, agent, passkey, { call: 'user/transaction', ...move })
    const reply = await askFrom(server, agent, 'user/transaction', { ...move, passkey: signature })
    expect(reply.code).toBe(OK)
    expect(await balanceOf(member)).toBe('12.5000')
    // The same request again, after a lost answer: the same answer, and nothing moves.
    expect(await askFrom(server, agent, 'user/transaction', { ...move, passkey: signature })).toEqual(reply)
    expect(await balanceOf(member)).toBe('12.5000')
    const stored = await one(
      server.services.db,
      sql`select passkey_id, member_id, amount::text, kind, wallet from point_confirmations where request_id = ${move.request_id}::uuid`,
    )
    expect(stored).toEqual({
      passkey_id: passkeyId,
      member_id: member.id,
      amount: '125000',
      kind: TransferKind.send,
      wallet: WalletKind.main,
    })
    // Also when the passkey is gone.
    await run(server.services.db, sql`delete from passkeys where id = ${passkeyId}`)
    expect((await checkConfirmations(server.services.db)).faults).toEqual([])
  })

  test('an offer in a room too, and taking points', async () => {
    const { agent, member, passkey } = await paying()
    const add = {
      member_id: member.id,
      type: TransferKind.send,
      amount: '3',
      platform: WalletKind.main,
      request_id: randomUUID(),
    }
    const offered = await signedPoints(server, agent, passkey, { call: 'transaction/add', ...add })
    expect((await askFrom(server, agent, 'transaction/add', { ...add, passkey: offered })).code).toBe(OK)
    const take = { id: member.id, amount: '-1', type: WalletKind.main, request_id: randomUUID() }
    const taken = await signedPoints(server, agent, passkey, { call: 'user/transaction', ...take })
    const reply = await askFrom(server, agent, 'user/transaction', { ...take, passkey: taken })
    expect(['done', 'transfer.flow_limit_open']).toContain(outcomeOf(reply))
  })

  test('of a correction, a paid request and an approval, and of none of them with other points', async () => {
    const { top, agent, cs, member, taken } = await cashFamily(server)
    const { db } = server.services
    await top.call('user/saveAbilities', { id: agent.id, may_approve: 1 })
    await limit(agent, cs, 1, { transfer: '10' })
    const signer = async (who: Person) => {
      await who.call('user/paymentPassword', { password: PASSWORD, ...PAYMENT })
      return (await withPasskey(server, who)).passkey
    }
    const [ofTop, ofAgent, ofCs] = [await signer(top), await signer(agent), await signer(cs)]

    const paid = { id: await taken(cs), amount: '30', request_id: randomUUID() }
    expect(await cs.ask('cash/pay', paid)).toBeRefusal('transfer.needs_payment_password')
    const other = await signedPoints(server, cs, ofCs, { call: 'cash/pay', ...paid, amount: '29' })
    expect(await askFrom(server, cs, 'cash/pay', { ...paid, passkey: other })).toBeRefusal('passkey.wrong')
    const right = await signedPoints(server, cs, ofCs, { call: 'cash/pay', ...paid })
    expect(await askFrom(server, cs, 'cash/pay', { ...paid, passkey: right })).toMatchObject({
      data: { state: 'paid' },
    })

    const payment_password = PAYMENT.payment_password
    await cs.call('user/transaction', { id: member.id, amount: '50', remark: 'x', payment_password })
    const { id, seen } = await waitingFor(agent)
    const approved = { id, seen, request_id: randomUUID() }
    expect(await agent.ask('approval/approve', approved)).toBeRefusal('transfer.needs_payment_password')
    const foreign = await askFrom(server, cs, 'passkey/beginPoints', {
      call: 'approval/approve',
      id,
      request: approved.request_id,
    })
    expect(foreign.refusal).toBe('approval.not_found')
    const consent = await signedPoints(server, agent, ofAgent, { call: 'approval/approve', ...approved })
    const done = await askFrom(server, agent, 'approval/approve', { ...approved, passkey: consent })
    expect(done).toMatchObject({ code: OK, data: { state: 'approved' } })

    const { transaction_id = '' } = done.data as { transaction_id?: string }
    const corrected = { transaction_id, remark: 'mistake', request_id: randomUUID() }
    expect(await top.ask('transaction/correct', corrected)).toBeRefusal('transfer.needs_payment_password')
    const back = await signedPoints(server, top, ofTop, { call: 'transaction/correct', ...corrected })
    expect(await askFrom(server, top, 'transaction/correct', { ...corrected, passkey: back })).toMatchObject({
      code: OK,
    })
    const { faults, withoutTransfer } = await checkConfirmations(db)
    expect([faults, withoutTransfer]).toEqual([[], 0])
  })

  test('altered points: none of 100 passes, and what was signed does', async () => {
    const { passed, tries, moved, codes } = await alterPoints(server, 100)
    expect({ tries, passed, moved }).toEqual({ tries: 100, passed: [], moved: 10 })
    expect(Object.keys(codes)).toEqual(['7005'])
  }, 120_000)

  test('not another’s passkey, not in another session, not without user verification, not twice', async () => {
    const [one1, two] = [await paying(), await paying()]
    const { agent, member, passkey } = one1
    const move = () => ({ id: member.id, amount: '1', type: WalletKind.main, request_id: randomUUID() })
    const begin = async (input: ReturnType<typeof move>) =>
      (
        await askFrom(server, agent, 'passkey/beginPoints', {
          call: 'user/transaction',
          ...input,
          request: input.request_id,
        })
      ).data as {
        challenge: string
      }
    const foreign = move()
    const stranger = two.passkey.assert(await begin(foreign))
    expect(await askFrom(server, agent, 'user/transaction', { ...foreign, passkey: stranger })).toBeRefusal(
      'passkey.wrong',
    )
    const unverified = move()
    const pressed = passkey.assert(await begin(unverified), { flags: 0x01 })
    expect(await askFrom(server, agent, 'user/transaction', { ...unverified, passkey: pressed })).toBeRefusal(
      'passkey.wrong',
    )
    // The challenge can be computed by anyone: without having been asked for in this session it is worth nothing.
    const asked = move()
    const signature = passkey.assert(await begin(asked))
    const other = Buffer.from('another session')
    await run(server.services.db, sql`update passkey_challenges set bound_to = ${other} where purpose = 'points'`)
    expect(await askFrom(server, agent, 'user/transaction', { ...asked, passkey: signature })).toBeRefusal(
      'passkey.too_late',
    )
  })

  test('the check finds every transfer, request and signature that was changed', async () => {
    const { agent, member, passkey } = await paying()
    for (const amount of ['1', '2', '3']) {
      const move = { id: member.id, amount, type: WalletKind.main, request_id: randomUUID() }
      const signature = await signedPoints(server, agent, passkey, { call: 'user/transaction', ...move })
      expect((await askFrom(server, agent, 'user/transaction', { ...move, passkey: signature })).code).toBe(OK)
    }
    const { db } = server.services
    expect((await checkConfirmations(db)).faults).toEqual([])
    await expect(run(db, sql`update point_confirmations set amount = 1`)).rejects.toThrow()
    await asSuperuser(async (tx) => {
      await run(tx, sql`alter table point_confirmations disable trigger user`)
      await run(tx, sql`alter table transfers disable trigger user`)
      await run(tx, sql`update transfers set amount = 990000 where target_id = ${member.id} and amount = 10000`)
      await run(
        tx,
        sql`update point_confirmations set signature = (select signature from point_confirmations o
            where o.member_id = ${member.id} and o.amount = 30000) where member_id = ${member.id} and amount = 20000`,
      )
    })
    const { faults } = await checkConfirmations(db)
    expect(faults.map(({ what }) => what).toSorted()).toEqual(['other points', 'signature'])
    await asSuperuser(async (tx) => {
      await run(tx, sql`update transfers set amount = 10000 where target_id = ${member.id} and amount = 990000`)
      await run(tx, sql`alter table point_confirmations enable trigger user`)
      await run(tx, sql`alter table transfers enable trigger user`)
    })
  })
})
