import { TransferKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import {
  actWord,
  asksTurnover,
  choosesWallet,
  type Kind,
  locksTurnover,
  stopOf,
  turnoverToSend,
  defaultTurnover,
  walletOf,
} from './points-kinds.ts'

const own = { flow_limit_modify_permission: 0, transfer_member_flow_limit_multiple: 3 } as const
const one = { is_multiple_wallet: 0, transaction_all: 0 } as const
const two = { is_multiple_wallet: 1, transaction_all: 0 } as const
const all: Kind[] = [1, 2, 3, 4, 5, 6]

test('[ENV-04] the wallet selector shows only when transaction_all is on and type is 1 or 3', () => {
  const both = { is_multiple_wallet: 1, transaction_all: 1 } as const
  expect(all.filter((kind) => choosesWallet(kind, both))).toEqual([1, 3])
  expect(all.filter((kind) => choosesWallet(kind, two))).toEqual([])
  expect(all.filter((kind) => choosesWallet(kind, { ...one, transaction_all: 1 }))).toEqual([])
  expect(all.map((kind) => walletOf(kind, 2, both))).toEqual([2, 1, 2, 1, 2, 2])
  expect(
    all.map((kind) => walletOf(kind, 2, two)),
    'what was chosen for another type is forgotten',
  ).toEqual([1, 1, 1, 1, 2, 2])
})

test('[ENV-03] turnover: hidden for type 2 and with several wallets, filled exactly, locked without the right', () => {
  expect(all.filter((kind) => asksTurnover(kind, one))).toEqual([1, 3, 4, 5])
  expect(all.filter((kind) => asksTurnover(kind, two))).toEqual([])
  expect(all.filter((kind) => locksTurnover(kind, own))).toEqual([1])
  expect(all.filter((kind) => locksTurnover(kind, { ...own, flow_limit_modify_permission: 1 }))).toEqual([])
  // 0.1 times 3 is not 0.3 in floating point, nor is 3 times the largest amount a whole number there.
  expect(defaultTurnover(1, 1000n, own)).toBe('0.3')
  expect(defaultTurnover(1, 9_999_999_999_999_999n, own)).toBe('2999999999999.9997')
  expect(defaultTurnover(3, 1000n, own)).toBe('0.1')
  expect(defaultTurnover(1, 0n, own)).toBe('')
})

test('[ENV-03] without the right, a gift’s turnover cannot be lower than the gift', () => {
  const may = { ...own, flow_limit_modify_permission: 1 } as const
  expect(turnoverToSend('0', 3, 50_000n, may)).toBe('0')
  expect(turnoverToSend('', 3, 50_000n, may)).toBe('0')
  for (const typed of ['0', '', '4.99']) expect(turnoverToSend(typed, 3, 50_000n, own)).toBeUndefined()
  expect(turnoverToSend('5', 3, 50_000n, own)).toBe('5')
  expect(turnoverToSend('7.', 3, 50_000n, own)).toBe('7')
  expect(turnoverToSend('.', 1, 50_000n, may)).toBeUndefined()
  expect(turnoverToSend('.5', 1, 50_000n, may)).toBe('0.5')
  expect(turnoverToSend('-1', 1, 50_000n, may)).toBeUndefined()
})

test('[CONV-14] the button says what is done: points asked for are not taken yet', () => {
  const words = (consent_needed: 0 | 1) =>
    all.map((kind) => actWord(kind, { consent_needed }).replace('points.do_', ''))
  expect(words(0)).toEqual(['give', 'take', 'give', 'give', 'give', 'take'])
  // A game wallet deduction never waits for the member.
  expect(words(1)).toEqual(['give', 'ask', 'give', 'give', 'give', 'take'])
})

test('[CONV-14] only due turnover is waived, and only by those who may', () => {
  const offer = { type: TransferKind.receive, most: null, last: null, refused: 'transfer.flow_limit_open' } as const
  const may = { ...own, flow_limit_modify_permission: 1 } as const
  expect(stopOf(offer, may, true)).toBeUndefined()
  expect(stopOf(offer, may, false)).toBe('transfer.flow_limit_open')
  expect(stopOf(offer, own, true)).toBe('transfer.flow_limit_open')
  expect(stopOf({ ...offer, refused: 'transfer.frozen' }, may, true)).toBe('transfer.frozen')
})
