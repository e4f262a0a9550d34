import { type Language, languages, type Words } from '@tallyroom/locales'
import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { flagsOf } from './ability-flags.ts'

const wordsOf = async (language: Language) =>
  ((await import(new URL(`../../../../locales/${language}.ts`, import.meta.url).href)) as { default: Words }).default

const wallet: Record<Language, RegExp> = {
  en: /wallet/i,
  'zh-TW': /錢包/,
  'zh-CN': /钱包/,
  id: /dompet/i,
  ms: /dompet/i,
  ta: /பணப்பை/,
  vi: /ví/,
  th: /กระเป๋า/,
  my: /ပိုက်ဆံအိတ်/,
  ru: /кошел/,
  bn: /ওয়ালেট/,
}

test('[ENV-04] transaction_all is described as the choice of a wallet, for agents and members', () => {
  for (const role of [Role.agent, Role.customerService, Role.member]) {
    const flag = flagsOf('points', role).find(({ name }) => name === 'transaction_all')
    expect(flag).toEqual({ name: 'transaction_all', what: 'ability.transaction_all_what' })
  }
})

test.each(languages)(
  '[ENV-04] [I18N-02] label and description of transaction_all mention wallets in %s',
  async (each) => {
    const words = await wordsOf(each)
    expect(words['ability.transaction_all']).toMatch(wallet[each])
    expect(words['ability.transaction_all_what']).toMatch(wallet[each])
  },
)
