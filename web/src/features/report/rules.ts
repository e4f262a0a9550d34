import type { WordKey } from '@tallyroom/locales'
import type { Say } from '../../words.ts'

/** The rules of the ledger by the names under which `npm run ledger:check` tells of them. */
const words: Record<string, WordKey> = {
  'all wallets together hold nothing': 'rule.sum_zero',
  'no wallet stands below its floor': 'rule.floor',
  'each balance is the sum of its postings and the last of their balances': 'rule.balance',
  'postings are numbered without gaps, and each goes on where the one before it stopped': 'rule.numbered',
  'the postings of each transfer sum to zero, at its making and at its settling': 'rule.two_sides',
  'no posting without its wallet and transfer, no transfer without its accounts': 'rule.no_strays',
  'each transfer has moved what its state says, once': 'rule.state',
  'escrow holds what open envelopes hold': 'rule.escrow',
  'an answered request tells of one transfer, and no two of the same': 'rule.requests',
  'day totals are what transfers with members moved': 'rule.days',
  'in minus out is what members took from the purse and its escrow': 'rule.in_out',
  'what is still to be bet is what credits asked for, less what bets filled and corrections lifted': 'rule.flow',
  'no bet fills more than itself, and none is filled twice over': 'rule.bets',
  'a house stands against bets and wins, and they against a house': 'rule.house',
  'a correction takes back one transfer that succeeded, whole and between the same two': 'rule.corrections',
}

/** A rule that this browser does not know yet is told in the ledger's own words. */
export const ruleWord = (t: Say, name: string): string => {
  const word = words[name]
  return word ? t(word) : name
}
