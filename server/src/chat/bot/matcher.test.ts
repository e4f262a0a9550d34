import { expect, test } from 'vitest'
import { settingsFrom } from '../../config/settings.ts'
import { findReply } from './matcher.ts'
import { tokensOf } from './normalize.ts'

const sayings = [
  { title: 'How to deposit', content: 'Open the wallet and press Deposit.' },
  { title: 'How to withdraw', content: 'Ask here; it takes a day.' },
  { title: 'Opening hours', content: 'From nine to five.' },
  { title: '如何存入點數', content: '請打開錢包。' },
  { title: '如何提取點數', content: '請在這裡留言。' },
  { title: 'วิธีฝากแต้ม', content: 'เปิดกระเป๋า' },
  { title: 'အမှတ် ဘယ်လို သွင်းရမလဲ', content: 'ပိုက်ဆံအိတ်ကို ဖွင့်ပါ' },
  { title: 'Как пополнить счёт', content: 'Откройте кошелёк.' },
  { title: 'எப்படி வைப்பு செய்வது', content: 'பணப்பையைத் திறக்கவும்.' },
]

test.each([
  ['How do I DEPOSIT?', 'How to deposit'],
  ['ｄｅｐｏｓｉｔ', 'How to deposit'],
  ['hello, how can i withdraw my points', 'How to withdraw'],
  ['what are the opening hours today', 'Opening hours'],
  ['請問要如何存入點數呢？', '如何存入點數'],
  ['我想提取點數', '如何提取點數'],
  ['อยากรู้วิธีฝากแต้มครับ', 'วิธีฝากแต้ม'],
  ['အမှတ် ဘယ်လိုသွင်းရမလဲ', 'အမှတ် ဘယ်လို သွင်းရမလဲ'],
  ['как мне пополнить счёт', 'Как пополнить счёт'],
  ['வைப்பு எப்படி செய்வது', 'எப்படி வைப்பு செய்வது'],
  ['how to', undefined],
  ['點數', undefined],
  ['my cat is ill', undefined],
  ['???', undefined],
  ['', undefined],
])('[ROOM-09] %s is about %s', (question, title) => {
  expect(findReply(question, sayings)?.title).toBe(title)
})

test('[ROOM-09] two equally good replies: none is used', () => {
  const twins = [
    { title: 'Deposit by card', content: 'a' },
    { title: 'Deposit by phone', content: 'b' },
  ]
  expect(findReply('deposit', twins)).toBeUndefined()
  expect(findReply('deposit by phone', twins)?.content).toBe('b')
})

test('[ROOM-09] tokens are words, or pairs of letters in scripts without spaces', () => {
  expect([...tokensOf("Don't  PANIC—ok")]).toEqual(['dont', 'panic', 'ok'])
  expect([...tokensOf('存入點數 now')]).toEqual(['存入', '入點', '點數', 'now'])
})

const url = 'https://ai.example/v1'
test.each([
  [{ AI_URL: 'ftp://x', AI_MODEL: 'm' }, 'AI_URL must look like'],
  [{ AI_URL: 'http://ai.example/v1', AI_MODEL: 'm' }, 'AI_URL must begin with https://'],
  [{ AI_URL: 'https://me:secret@ai.example', AI_MODEL: 'm' }, 'AI_URL must not hold a password'],
  [{ AI_URL: url }, 'AI_MODEL is not set'],
  [{ AI_KEY: 'secret' }, 'AI_KEY is set without AI_URL'],
  [{ AI_MODEL: 'm' }, 'AI_MODEL is set without AI_URL'],
  [{ AI_URL: url, AI_MODEL: 'm', AI_KEY: 'se cret\n' }, 'AI_KEY may hold only'],
  [{ AI_URL: url, AI_MODEL: 'm', AI_TIMEOUT_MS: 'soon' }, 'AI_TIMEOUT_MS is "soon"'],
  [{ AI_URL: url, AI_MODEL: 'm', AI_PROMPT_FILE: '/no/such' }, 'AI_PROMPT_FILE: /no/such cannot be read'],
])('[ROOM-09] wrong settings are refused in one line without secrets: %j', (env, line) => {
  let said = ''
  try {
    settingsFrom(env)
  } catch (error) {
    said = String((error as Error).message)
  }
  expect(said).toContain(line)
  expect(said).not.toMatch(/secret|\n/)
})

test('[ROOM-09] a local endpoint may use http, and AI_URL may be the full address', () => {
  const { bot } = settingsFrom({ AI_URL: 'http://localhost:11434/v1/chat/completions', AI_MODEL: 'little' })
  expect(bot).toMatchObject({ url: 'http://localhost:11434/v1', key: '', timeoutMs: 20_000 })
})
