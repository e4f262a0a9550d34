import type { Input } from '@tallyroom/contract'

/** The sample accounts: names, what they write, and how some of them answer. */

export const PASSWORD = 'demo1234'

export type DemoMember = {
  username: string
  nickname: string
  /** The member's messages, the earliest first. */
  says: string[]
  /** The group's answer after that; without one the member waits. */
  answered?: string
  /** Minutes since the member's last message. */
  minutes: number
  /** Answers by itself, in its own language. */
  phrases?: readonly string[]
  /** Envelopes need this member's consent; one is open. */
  offered?: 'send' | 'receive'
  bot?: true
  /** Sends a PDF and a voice note too. */
  hasFiles?: true
}

export const danaMembers: DemoMember[] = [
  {
    username: 'annlee',
    nickname: 'Ann Lee',
    says: ['Hello! I answer here.', 'Try sending me a red envelope.'],
    answered: 'Welcome, Ann!',
    minutes: 55,
    phrases: ['I see, thank you!', 'One moment please…', 'Yes, it is there now.', 'How are you today?', '👍'],
  },
  {
    username: 'benito',
    nickname: 'Benito',
    says: ['is it there?', 'I sent the slip ten minutes ago'],
    minutes: 12,
  },
  {
    username: 'chanwei',
    nickname: '陳偉',
    says: ['你好，我的點數到了嗎？'],
    answered: '已經到了，請查收。',
    minutes: 80,
    phrases: ['好的，謝謝你！', '請等一下…', '收到了。', '請問還要多久？', '👍'],
  },
  { username: 'divya', nickname: 'திவ்யா', says: ['வணக்கம், என் இருப்பு என்ன?'], minutes: 3 },
  {
    username: 'emilia',
    nickname: 'Emilia',
    says: ['thanks, got it 🧧'],
    answered: 'You are welcome!',
    minutes: 130,
    offered: 'send',
  },
  { username: 'farhan', nickname: 'Farhan', says: ['What are your opening hours?'], minutes: 1, bot: true },
  {
    username: 'ginawong',
    hasFiles: true,
    nickname: 'Gina Wong',
    says: ['can you check my last transfer?', 'And please send 200 to my bank'],
    minutes: 6,
  },
  {
    username: 'htetaung',
    nickname: 'ထက်အောင်',
    says: ['မင်္ဂလာပါ', 'အမှတ် ၅၀ ထုတ်ချင်ပါတယ်'],
    answered: 'ရပါတယ်၊ ခဏစောင့်ပါ။',
    minutes: 200,
  },
  {
    username: 'ivan77',
    nickname: 'Иван',
    says: ['Добрый вечер! Когда придут баллы?'],
    answered: 'Уже отправили.',
    minutes: 300,
    phrases: ['Понял, спасибо!', 'Одну минуту…', 'Да, уже пришло.', 'Как у вас дела?', '👍'],
  },
  {
    username: 'jaidee',
    nickname: 'ใจดี',
    says: ['สวัสดีค่ะ แต้มเข้าแล้วหรือยัง'],
    answered: 'เข้าแล้วค่ะ',
    minutes: 420,
    phrases: ['ขอบคุณค่ะ', 'รอสักครู่นะคะ', 'ได้รับแล้วค่ะ', 'วันนี้เป็นอย่างไรบ้างคะ', '👍'],
  },
  {
    username: 'kimanh',
    nickname: 'Kim Anh',
    says: ['cảm ơn bạn nhiều'],
    answered: 'Không có gì ạ.',
    minutes: 600,
    offered: 'receive',
  },
  { username: 'lokesh', nickname: 'Lokesh', says: ['still nothing, please check'], minutes: 0 },
]
export const noraMembers: DemoMember[] = [
  { username: 'marco88', nickname: 'Marco', says: ['Can I get 100 before the match?'], minutes: 4 },
  {
    username: 'nadia',
    nickname: 'Nadia',
    says: ['boleh saya tambah 100?'],
    answered: 'Boleh, sudah masuk.',
    minutes: 90,
  },
  { username: 'quynh', nickname: 'Quỳnh', says: ['Em chào chị, em mới đăng ký'], minutes: 2 },
]
export const pavelMembers: DemoMember[] = [
  { username: 'rana', nickname: 'রানা', says: ['আমার পয়েন্ট কখন আসবে?'], minutes: 5 },
  { username: 'sven', nickname: 'Sven', says: ['All good, thanks'], answered: 'Have a nice day!', minutes: 240 },
]
export const adminMembers: DemoMember[] = [
  { username: 'yukitan', nickname: 'Yuki', says: ['Hi, is this the main office?'], minutes: 9 },
]

export const quickReplies = [
  ['Hello', 'Hello {nickname}, how can I help you?'],
  ['Slip please', 'Please send a photo of the slip, then I can check it at once.'],
  ['One moment', 'One moment please, I am checking.'],
  ['Arrived', 'Your points are on your balance now.'],
  ['Turnover', 'Some turnover is still due. Your page shows how much is left under "My points".'],
  ['Opening hours', 'We answer every day from nine to midnight.'],
] as const

export const notes = [
  { member: 'ginawong', title: 'Prefers Maybank', content: 'Asks for payouts on Fridays, always to the same account.' },
  {
    member: 'benito',
    title: 'Slip of this morning',
    content: 'The name on the slip is his brother’s. Asked for one with his own name.',
  },
  { member: 'annlee', title: 'VIP', content: 'Gets a gift on her birthday, 4 May.' },
] as const

const WORKDAY: [number, number][] = [
  [540, 720],
  [780, 1080],
]
/** Prepared, and not on. */
export const deskHours: Input<'deskHours/save'> = {
  hours_on: false,
  time_zone: null,
  week: [[], WORKDAY, WORKDAY, WORKDAY, WORKDAY, WORKDAY, [[1320, 120]]],
  days: [{ day: '2026-12-25', spans: [], label: 'Christmas' }],
  greeting: { en: 'Hello! How can we help?', th: 'สวัสดี มีอะไรให้เราช่วยไหม', 'zh-TW': '您好，有什麼可以協助您？' },
  away: { en: 'We are closed now and open {opens}.', th: 'ขณะนี้ปิดทำการ เปิด {opens}' },
  default_language: 'en',
}
