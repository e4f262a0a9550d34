import { TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { family, points, type StoryWallet } from '../../testing/ledger/story.ts'
import { type OfferTerms, openOffer, type Party } from '../rules/rules.ts'

test('[ENV-03] [TRF-13] the turnover of a transfer', () => {
  const { parties, wallets } = family()
  const { agent, member } = parties as { agent: Party; member: Party }
  const given = wallets as Record<'agent' | 'member', { main: StoryWallet; escrow: StoryWallet; game: StoryWallet }>
  const asked = (ask: Partial<OfferTerms>) => {
    given.agent.main.balance = points('1000')
    const opened = openOffer<StoryWallet>(
      {
        transferKind: TransferKind.send,
        wallet: WalletKind.main,
        amount: points('2.5'),
        inRoom: true,
        auditAmount: undefined,
        hasRemark: true,
        overridesTurnover: false,
        ...ask,
      },
      {
        actor: agent,
        funder: agent,
        target: member,
        targetId: member.id,
        isWrongRoom: false,
        isAsked: false,
        mayMove: true,
        wallets: { funder: given.agent, target: given.member },
        caps: { envelope: undefined, day: undefined },
        givenToday: 0n,
      },
    )
    return typeof opened === 'string' ? opened : opened.auditAmount
  }
  agent.turnoverMultiple = 3
  expect(asked({})).toBe(points('7.5'))
  expect(asked({ auditAmount: points('1') }), 'may not set it').toBe(points('7.5'))
  agent.setsTurnover = true
  expect(asked({ auditAmount: points('1') })).toBe(points('1'))
  expect(asked({ auditAmount: points('-1') })).toBe('transfer.amount_invalid')
  expect(asked({ inRoom: false }), 'from a list: the amount once').toBe(points('2.5'))
  expect(asked({ transferKind: TransferKind.gift }), 'a gift: the amount once by default').toBe(points('2.5'))
  agent.role = 1
  expect(asked({ transferKind: TransferKind.makeUp, auditAmount: points('1') })).toBe(points('1'))
  agent.setsTurnover = false
  expect(asked({ transferKind: TransferKind.makeUp, auditAmount: points('1') }), 'not less, without the right').toBe(
    points('2.5'),
  )
  expect(asked({ transferKind: TransferKind.gift, auditAmount: points('100') }), 'but more').toBe(points('100'))
  agent.setsTurnover = true
  member.hasGame = true
  expect(asked({ inRoom: false }), 'opened on the way into the game wallet').toBe(0n)
  expect(asked({ auditAmount: points('1') })).toBe(0n)
  expect(asked({ transferKind: TransferKind.gameSend, wallet: WalletKind.game, inRoom: false }), 'once over').toBe(
    points('2.5'),
  )
})
