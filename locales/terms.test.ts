import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { languages, type Language, type WordKey, type Words } from './index.ts'

/** The columns of the table in docs/glossary.md, each with the texts that are its word and nothing else. */
const terms: [column: string, keys: WordKey[]][] = [
  ['Conversation', ['desk.take']],
  ['Request', ['cash.take']],
  ['Points given', ['room.points_send']],
  ['Points collected', ['room.points_receive']],
  ['Message', ['message.take_back']],
  ['Transaction', ['transfer.correct']],
  ['Decision', ['requests.refuse', 'approval.refuse', 'points.reject']],
  ['Conversation done', ['desk.done']],
  ['Points in', ['history.in']],
  ['Points out', ['history.out']],
]

/** Texts that have a word of the table in them, in whatever form its language gives it there. */
const forms: Record<Language, { give: RegExp; collect: RegExp; in: RegExp; out: RegExp }> = {
  en: { give: /giv/i, collect: /collect/i, in: /\bin\b/i, out: /\bout\b/i },
  'zh-TW': { give: /發放/, collect: /收取/, in: /存入/, out: /提取/ },
  'zh-CN': { give: /发放/, collect: /收取/, in: /存入/, out: /提取/ },
  id: { give: /beri/i, collect: /ambil/i, in: /masuk/i, out: /keluar/i },
  ms: { give: /beri/i, collect: /ambil/i, in: /masuk/i, out: /keluar/i },
  vi: { give: /cấp/i, collect: /thu/i, in: /nạp/i, out: /rút/i },
  th: { give: /ให้/, collect: /เก็บ/, in: /ฝาก/, out: /ถอน/ },
  my: { give: /ပေး/, collect: /ကောက်ခံ/, in: /သွင်း/, out: /ထုတ်/ },
  ta: { give: /கொடு/, collect: /வசூலி/, in: /வைப்பு/, out: /எடுப்பு/ },
  ru: { give: /начисл/i, collect: /забрать|забирать|заберите/i, in: /пополнени/i, out: /вывод/i },
  bn: { give: /দিন|দেওয়া/, collect: /সংগ্রহ/, in: /জমা/, out: /উত্তোলন/ },
}
const within: [form: 'give' | 'collect' | 'in' | 'out', keys: WordKey[]][] = [
  [
    'give',
    [
      'points.do_give',
      'points.can_give',
      'points.cannot_give',
      'room.points',
      'requests.pay_in',
      'requests.done_in',
      'palette.send',
      'home.give_points',
      'home.step_points',
      'ability.send_red_envelope_button_visible',
      'right.chat_transaction',
      'right.agent_transaction',
      'right.user_transaction',
    ],
  ],
  [
    'collect',
    [
      'points.do_take',
      'points.can_take',
      'points.cannot_take',
      'room.points',
      'room.flow_override',
      'ability.receive_red_envelope_button_visible',
      'person.has_points',
      'right.chat_transaction',
      'right.agent_transaction',
      'right.user_transaction',
    ],
  ],
  ['in', ['cash.in', 'cash.asks_in', 'cash.you_asked_in', 'home.in_today']],
  ['out', ['cash.out', 'cash.asks_out', 'cash.you_asked_out', 'home.out_today']],
]

const glossary = readFileSync(new URL('../docs/glossary.md', import.meta.url), 'utf8')
const section = glossary.slice(glossary.indexOf('## Acts on screens'))
const [head = [], ...rows] = (section.match(/^\|.*\|$/gm) ?? [])
  .slice(0, languages.length + 2)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, first = '']) => !first.startsWith('---'))

test('[CONV-15] the glossary has the words of every language', () => {
  expect(new Set(rows.map(([, language]) => language))).toEqual(new Set(languages))
})

for (const language of languages) {
  test(`[CONV-15] [I18N-02] one word for one act, and one name for one movement in ${language}`, async () => {
    // A full URL, so that the test bundler does not try to resolve it.
    const { default: words } = (await import(new URL(`${language}.ts`, import.meta.url).href)) as { default: Words }
    const row = rows.find(([, first]) => first === language) ?? []
    for (const [column, keys] of terms)
      for (const key of keys) expect([key, words[key]]).toEqual([key, row[head.indexOf(column)]])
    for (const [form, keys] of within)
      for (const key of keys) expect([key, words[key]]).toEqual([key, expect.stringMatching(forms[language][form])])
    // A word that stands for two acts is the fault that this table is against.
    const acts = row.slice(2, -1)
    expect(new Set(acts.map((act) => act.toLowerCase())).size).toBe(acts.length)
  })
}
