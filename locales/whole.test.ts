import { expect, test } from 'vitest'
import { fileURLToPath } from 'node:url'
import { readTables } from '../scripts/words/tables.ts'
import { languages, type Language, type WordKey, type Words } from './index.ts'

// A full URL, so that the test bundler does not try to resolve it.
const loaded = async (language: Language) =>
  ((await import(new URL(`${language}.ts`, import.meta.url).href)) as { default: Words }).default
const en = await loaded('en')
const tables = readTables(fileURLToPath(new URL('..', import.meta.url)))
/** The keys of a language that wait for a translator. */
const waitingIn = (language: Language) =>
  new Set(tables.find((table) => table.language === language)?.entries.flatMap(({ key, mark }) => (mark ? [key] : [])))

/** Names, symbols and abbreviations that are the same in every language. */
const everywhere: WordKey[] = [
  'product.name',
  'chat.ai',
  'audit.before_after',
  'message.kind_points',
  'message.from',
  'message.said',
  'transfer.sure',
]
const abbreviations: WordKey[] = ['second.by_sms', 'history.id', 'setting.api_url']
/** English words that a language uses unchanged. */
const malay: WordKey[] = [
  'bank.bank',
  'message.bot',
  'ai.title',
  'action.ok',
  'account.status',
  'template.memo',
  'member.menu',
  'shell.menu',
  'history.operator',
]
const taken: Partial<Record<Language, WordKey[]>> = {
  id: [...malay, 'transfer.title', 'action.transaction'],
  ms: [...malay, 'deposit.title', 'action.deposit'],
  vi: ['message.bot', 'ai.title', 'action.ok'],
}
const scripts: Partial<Record<Language, RegExp>> = {
  'zh-TW': /\p{Script=Han}/u,
  'zh-CN': /\p{Script=Han}/u,
  ta: /\p{Script=Tamil}/u,
  th: /\p{Script=Thai}/u,
  my: /\p{Script=Myanmar}/u,
  ru: /\p{Script=Cyrillic}/u,
  bn: /\p{Script=Bengali}/u,
}
/** Latin words inside another script: names, keys and abbreviations. */
const LATIN =
  /^(Tallyroom|API|URL|UTC|CSV|SMS|QR|PIN|AI|ID|OK|Enter|Esc|Ctrl|Cmd|Alt|Shift|Code|https?|nonce|challenge|Idempotency|BSB|OpenAPI|Webhook|data|Key|JSON|PNG|PDF|AAC|Opus|Face|Touch|Node|PostgreSQL|HTTP|UTF)$/

const textOf = (entry: unknown) =>
  typeof entry === 'string' ? entry : Object.values(entry as Record<string, string>).join(' ')
/** The number of plural forms differs between languages. */
const otherOf = (entry: Words[WordKey]) => (typeof entry === 'string' ? entry : entry.other)
const bare = (entry: unknown) => textOf(entry).replaceAll(/\{\w+\}/g, '')

for (const language of languages.filter((each) => each !== 'en')) {
  test(`[I18N-01] [I18N-02] nothing is left in English in ${language}, but what waits for a translator`, async () => {
    const words = await loaded(language)
    const allowed = new Set<string>([...everywhere, ...abbreviations, ...(taken[language] ?? [])])
    const waiting = waitingIn(language)
    const keys = (Object.keys(en) as WordKey[]).filter((key) => !waiting.has(key))
    const same = keys.filter((key) => otherOf(words[key]) === otherOf(en[key]) && !allowed.has(key))
    expect(same.map((key) => `locales/${language}.ts '${key}' reads as in English: ${textOf(en[key])}`)).toEqual([])
    const script = scripts[language]
    if (!script) return
    const foreign = keys.flatMap((key) => {
      const text = bare(words[key])
      const latin = (text.match(/[A-Za-z]{3,}/g) ?? []).filter((word) => !LATIN.test(word))
      if (latin.length > 0) return [`locales/${language}.ts '${key}' has ${latin.join(', ')}`]
      return /\p{L}/u.test(bare(en[key])) && /\p{L}{3}/u.test(text) && !script.test(text) && !allowed.has(key)
        ? [`locales/${language}.ts '${key}' is not in its script: ${text}`]
        : []
    })
    expect(foreign).toEqual([])
  })
}

test('no button of a dialog says the same as the one beside it that cancels', async () => {
  // Not a button: what a correction does with another movement.
  const labels: WordKey[] = ['action.cancel', 'transfer.corrects']
  const found: string[] = []
  for (const language of languages) {
    const words = await loaded(language)
    const same = Object.entries(words).filter(([, text]) => text === words['action.cancel'])
    for (const [key] of same) if (!labels.includes(key as WordKey)) found.push(`${language} ${key}`)
  }
  expect(found).toEqual([])
})

test('the facts of an account in the tree have different names', async () => {
  const names: WordKey[] = [
    'tree.role',
    'account.status',
    'tree.level',
    'shell.balance',
    'account.limit_of_credit',
    'tree.team_direct',
    'tree.members_direct',
    'tree.below_all',
  ]
  for (const language of languages) {
    const words = await loaded(language)
    expect([language, new Set(names.map((name) => textOf(words[name]))).size]).toEqual([language, names.length])
  }
})

test('the name of a button has the words on it, by which people who speak to the page press it', async () => {
  const found: string[] = []
  for (const language of languages) {
    const words: Record<string, unknown> = await loaded(language)
    const pairs = Object.keys(words).filter((key) => key.endsWith('_named') && `${key.slice(0, -6)}` in words)
    const names = [...pairs.map((key) => [key, key.slice(0, -6)]), ['security.set_up_authenticator', 'security.set_up']]
    for (const [name = '', shown = ''] of names) {
      const [long, short] = [String(words[name]), String(words[shown])].map((text) => text.toLowerCase())
      if (!long?.includes(short ?? '')) found.push(`${language} ${name}`)
    }
  }
  expect(found).toEqual([])
})
