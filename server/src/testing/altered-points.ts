import { randomInt, randomUUID } from 'node:crypto'
import type { Answer, Input } from '@tallyroom/contract'
import { formatPoints } from '@tallyroom/contract/points'
import { OK } from '@tallyroom/contract'
import { Role, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import type { Person, Reply, TestServer } from './app.ts'
import { askFrom, type SoftwarePasskey, withPasskey } from './fakes/passkey.ts'

type Move = Input<'user/transaction'> & { request_id: string; amount: string; type: 1 | 2 }
type Add = Input<'transaction/add'> & { request_id: string; amount: string }

type Unnamed<T> = T extends unknown ? Omit<T, 'request'> : never
type SignedInput = Unnamed<Input<'passkey/beginPoints'>> & { request_id: string }

/** Asks for the signature over these points and returns it. */
export const signedPoints = async (
  server: TestServer,
  who: Person,
  passkey: SoftwarePasskey,
  { request_id, ...input }: SignedInput,
) => {
  const begun = await askFrom(server, who, 'passkey/beginPoints', { ...input, request: request_id })
  return passkey.assert(begun.data as Answer<'passkey/beginPoints'>)
}

type Outcome = { tries: number; passed: string[]; moved: number; codes: Record<string, number> }

/**
 * Confirms points with a passkey and sends them altered, each in one way: the amount mostly, then the member, the kind,
 * the wallet, the request, or the call. Every tenth is sent as it was signed afterwards, and must pass.
 */
export const alterPoints = async (server: TestServer, tries: number): Promise<Outcome> => {
  const { agent, member } = await server.family()
  const other = await server.person({ role: Role.member, under: agent })
  await askFrom(server, agent, 'user/paymentPassword', {
    password: 'secret123',
    payment_password: 'pay1234',
    payment_password_confirmation: 'pay1234',
  })
  const { passkey } = await withPasskey(server, agent)
  const outcome: Outcome = { tries: 0, passed: [], moved: 0, codes: {} }
  const send = async (move: Move, signature: ReturnType<SoftwarePasskey['assert']>) =>
    askFrom(server, agent, 'user/transaction', { ...move, passkey: signature })
  const note = (what: string, { code }: Reply) => {
    outcome.tries++
    outcome.codes[code] = (outcome.codes[code] ?? 0) + 1
    if (code === OK) outcome.passed.push(what)
  }
  for (let n = 0; n < tries; n++) {
    const units = BigInt(randomInt(1, 50_000))
    const move: Move = {
      id: member.id,
      amount: formatPoints(units),
      type: WalletKind.main,
      remark: '',
      request_id: randomUUID(),
    }
    const signature = await signedPoints(server, agent, passkey, {
      call: 'user/transaction',
      id: move.id,
      amount: move.amount,
      type: move.type,
      request_id: move.request_id,
    })
    const delta = BigInt(randomInt(1, 100_000))
    const amounts = [units + delta, units * 10n, units + 1n, -units, units > 1n ? units - 1n : units + 2n]
    const way = n % 10
    if (way < 5) note('amount', await send({ ...move, amount: formatPoints(amounts[way] ?? delta) }, signature))
    else if (way === 5) note('member', await send({ ...move, id: other.id }, signature))
    else if (way === 6) note('wallet', await send({ ...move, type: WalletKind.game }, signature))
    else if (way === 7) note('request', await send({ ...move, request_id: randomUUID() }, signature))
    else if (way === 8) {
      const add: Add = { member_id: move.id, type: TransferKind.gift, amount: move.amount, request_id: move.request_id }
      note('kind', await askFrom(server, agent, 'transaction/add', { ...add, passkey: signature }))
    } else {
      // Signed for the altered amount by the attacker's own key.
      const forged = { ...signature, response: { ...signature.response, signature: 'MEUCIQ' } }
      note('signature', await send(move, forged))
      // The challenge is used up by then: signed again, it passes.
      const again = await signedPoints(server, agent, passkey, { call: 'user/transaction', ...pick(move) })
      const { code } = await send(move, again)
      if (code === OK) outcome.moved++
    }
  }
  return outcome
}

const pick = ({ id, amount, type, request_id }: Move) => ({ id, amount, type, request_id })
