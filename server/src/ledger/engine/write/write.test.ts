import { WalletKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { BrokenOrder } from '../broken-order.ts'
import { applyPostings, emptyDraft } from './write.ts'

const wallet = (id: number, balance: bigint, floor: bigint | null) => {
  const owner = { id, accountId: id, topId: 1, kind: WalletKind.main }
  return { ...owner, balance, floor, seq: 0n, turnoverDue: 0n }
}

test.each([
  ['do not sum to zero', 5n, -4n, 'postings of transfer 9, leg 0, sum to 1, not to 0'],
  ['go below the floor', 11n, -11n, 'wallet 2 would go from 10 to -1, below its floor of 0'],
])('[TRF-12] postings that %s are refused before anything moves', (_, gets, gives, message) => {
  const draft = emptyDraft()
  const [to, from] = [wallet(1, 0n, null), wallet(2, 10n, 0n)]
  const postings = [
    { wallet: to, amount: gets },
    { wallet: from, amount: gives },
  ]
  expect(() => applyPostings(draft, 9n, 0, postings)).toThrow(new BrokenOrder(message))
  expect([to.balance, from.balance, draft.postings.length, draft.moved.size]).toEqual([0n, 10n, 0, 0])
})
