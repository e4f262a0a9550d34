import { expect, test } from 'vitest'
import { languages, type Language, type WordKey, type Words } from './index.ts'

/** The word for a thing, the words that must not compete with it, and the keys where another thing is meant. */
type Rule = [word: string, others: RegExp, except?: WordKey[]]

/** The chat area of the menu, and the name that an agent gives its room: the source's words. */
const CHAT: WordKey[] = ['menu.chat', 'chat.menu', 'home.to_chat', 'widget.open', 'widget.close', 'setting.room_name']
const ROOM_NAME: WordKey[] = ['setting.room_name']

const rules: Record<Language, Rule[]> = {
  en: [
    ['conversation', /\b(rooms?|chats?|talks?)\b/i, [...CHAT, 'member.ask_person']],
    ['turnover', /flow limit|wager/i],
    ['internal note', /whisper/i],
    ['quick reply', /\btemplates?\b|canned/i],
    ['voice message', /voice notes?/i],
    ['red envelope', /red packet/i],
    ['compensation', /make-?up/i],
    ['share link', /sign-up link|invitation link|referral/i],
    ['two-step sign-in', /second (factor|step)|two-factor/i],
    ['administrator', /the operator\b/i],
    ['sign in', /log in\b|your login/i],
    ['X not found', /There is no such/i],
    [
      'assign, start, collect, unsend, reverse',
      /\b(take|takes|taken|taking)\b(?! over| too)/i,
      ['account.username_taken'],
    ],
    ['reject', /\brefuse\b|not approve/i],
    ['points in, points out', /^(to|from) (members?|you)\b|\bpaid (in|out)\b/i],
    ['period', /longer time|shorter time/i],
  ],
  'zh-TW': [
    ['對話', /聊天室/, ROOM_NAME],
    ['等待', /等候/],
    ['內部備註', /留言|悄悄/],
    ['接管', /接過/],
    ['指派, 開始處理', /接手/],
    ['發放', /發出點數|發送點數/],
    ['投注', /下注/],
    ['收取', /回收/],
    ['提取', /提出/],
    ['回覆', /答覆/],
    ['保留', /暫存/],
    ['您', /你/],
    ['上級', /上層/],
    ['推廣連結', /註冊連結|分享碼/],
    ['兩步驟驗證', /第二步|雙重驗證/],
    ['紀錄', /記錄/],
    ['full-width punctuation', /[\u4e00-\u9fff][,;:!?()]|[,;:!?()][\u4e00-\u9fff]/],
  ],
  'zh-CN': [
    ['对话', /聊天室/, ROOM_NAME],
    ['等待', /等候/],
    ['内部备注', /留言|悄悄/],
    ['接管', /接过/],
    ['分配, 开始处理', /接手/],
    ['发放', /发出点数|发送点数/],
    ['投注', /下注/],
    ['提取', /提出/],
    ['回复', /答复/],
    ['保留', /暂存/],
    ['您', /你/],
    ['上级', /上层/],
    ['更改', /变更/],
    ['添加', /新增/],
    ['推广链接', /注册链接|分享码/],
    ['两步验证', /第二步|双重验证/],
    ['full-width punctuation', /[\u4e00-\u9fff][,;:!?()]|[,;:!?()][\u4e00-\u9fff]/],
  ],
  id: [
    ['percakapan', /obrolan/i, CHAT],
    ['catatan internal', /bisik/i],
    ['administrator', /pengelolanya|minta pengelola/i],
    ['verifikasi dua langkah', /langkah kedua|faktor kedua/i],
    ['tautan referal', /tautan pendaftaran|kode berbagi/i],
    ['dulu', /\bdahulu\b/i],
    ['akun permainan', /\bbandar\b/i],
  ],
  ms: [
    ['perbualan', /sembang/i, CHAT],
    ['nota dalaman', /bisik/i],
    ['mesej suara', /nota suara/i],
    ['pusingan', /turnover/i],
    ['hak akses', /kebenaran/i, ['access.denied']],
    ['ubah', /sunting/i],
    ['pentadbir', /pengendali/i],
    ['pengesahan dua langkah', /langkah kedua|faktor kedua/i],
    ['pautan rujukan', /pautan pendaftaran|kod kongsi/i],
  ],
  ta: [
    ['உரையாடல்', /அரட்டை/, CHAT],
    ['சுழற்சி', /டர்ன்ஓவர்/],
    ['குரல் செய்தி', /குரல் குறிப்ப/],
    ['உள் குறிப்பு', /உள்குறிப்பு/],
    ['சேவையகம்', /சர்வர/],
    ['ஏற்கெனவே', /ஏற்கனவே/],
    ['போட்', /பாட் /],
    ['இரு படி உள்நுழைவு', /இரண்டாம் (படி|காரணி|சரிபார்ப்பு)/],
    ['உரிமை', /அனுமதிகள்/],
  ],
  vi: [
    ['cuộc trò chuyện', /phòng chat|cuộc chat/i, ROOM_NAME],
    ['vòng cược', /doanh thu cược/i],
    ['ghi chú nội bộ', /nhắn nội bộ/i],
    ['xác minh hai bước', /hai lớp|bước thứ hai|đăng nhập hai bước/i],
    ['quản trị viên', /người (vận hành|quản trị)/i],
    ['liên kết giới thiệu', /liên kết đăng ký|mã chia sẻ/i],
    ['tài khoản trò chơi', /nhà cái/i],
    ['đóng băng', /bị khóa/i],
  ],
  th: [
    ['การสนทนา', /ห้องแชท/, ROOM_NAME],
    ['เอเย่นต์', /เอเจนต์/],
    ['บอท', /บอต/],
    ['กรุณา', /โปรด/],
    ['บันทึกภายใน', /ข้อความภายใน/],
    ['กันไว้', /พักไว้|ถือไว้/],
    ['บัญชีเกม', /เจ้ามือ/],
    ['การยืนยันสองขั้นตอน', /เข้าสู่ระบบสองขั้น/],
    ['ลิงก์แนะนำ', /ลิงก์สมัคร|รหัสแชร์/],
  ],
  my: [
    ['စကားပြောဆိုမှု', /စကားပြောခန်း|စကားဝိုင်း/, ROOM_NAME],
    ['အမှတ်', /ပွိုင့်/],
    ['လှည့်ငွေ', /လှည့်ကြေး/],
    ['တောင်းဆိုချက်', /တောင်းခံ|တောင်းဆိုမှု/],
    ['အတွင်းပိုင်းမှတ်စု', /အတွင်းစာ|အတွင်းမှတ်စု/],
    ['အသံမက်ဆေ့ချ်', /အသံမှတ်စု/],
    ['ငွေလွှဲမှု', /လွှဲပြောင်းမှု/],
    ['အမည်ပြောင်', /နာမည်ပြောင်/],
    ['နှစ်ဆင့် အတည်ပြုမှု', /နှစ်ဆင့် ဝင်ရောက်/],
    ['စီမံခန့်ခွဲသူ', /စီမံသူ/],
    ['0 to 9', /[၁-၉]/],
  ],
  ru: [
    ['чат', /разговор|переписк/i],
    ['внутренняя заметка', /шёпот|шепч/i],
    ['no guess at a gender', /\(а\)/],
    ['двухэтапный вход', /второй (шаг|фактор)/i],
    ['игровой аккаунт', /казино/i],
    ['ИИ', /\bAI\b/],
    ['никнейм', /\bник\b/i],
    ['остаток оборота', /осталось поставить/i],
  ],
  bn: [
    ['কথোপকথন', /আলাপ|চ্যাট/, CHAT],
    ['ভয়েস বার্তা', /ভয়েস নোট/],
    ['অভ্যন্তরীণ নোট', /ফিসফিস/],
    ['লগ ইন', /সাইন/],
    ['পৃষ্ঠা', /পাতা|পেজ/],
    ['লিংক', /লিঙ্ক/],
    ['এসএমএস', /SMS/],
    ['রেফারেল লিংক', /নিবন্ধন লিংক|শেয়ার কোড/],
    ['স্থগিত', /ফ্রিজ/],
    ['0 to 9', /[০-৯]/],
  ],
}

for (const language of languages) {
  test(`[I18N-02] one word for one thing in ${language}`, async () => {
    // A full URL, so that the test bundler does not try to resolve it.
    const { default: words } = (await import(new URL(`${language}.ts`, import.meta.url).href)) as { default: Words }
    const found = rules[language].flatMap(([word, others, except = []]) =>
      (Object.entries(words) as [WordKey, string | Record<string, string>][]).flatMap(([key, entry]) =>
        (typeof entry === 'string' ? [entry] : Object.values(entry))
          .filter((text) => others.test(text) && !except.includes(key))
          .map((text) => `locales/${language}.ts '${key}' says "${others.exec(text)?.[0]}", not "${word}": ${text}`),
      ),
    )
    expect(found).toEqual([])
  })
}
