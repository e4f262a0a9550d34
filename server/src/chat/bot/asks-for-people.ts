import { containsPhrase, normalize } from './normalize.ts'

/**
 * Phrases by which a member asks for a person. Too many rather than too few: a needless hand-over costs an agent a
 * look, a missed one costs the member's patience.
 */
const phrases = [
  // en
  ['human', 'real person', 'a person', 'customer service', 'live agent', 'live support', 'talk to someone'],
  ['speak to someone', 'talk to people', 'operator', 'not a bot', 'no bot', 'stop bot', 'agent please', 'staff'],
  // zh-TW, zh-CN
  ['人工', '真人', '客服', '專員', '专员', '不要機器人', '不要机器人', '找人', '轉人', '转人'],
  // id, ms
  [
    'layanan pelanggan',
    'customer care',
    'orang asli',
    'manusia',
    'bicara dengan orang',
    'hubungi admin',
    'chat admin',
    'panggil cs',
  ],
  ['khidmat pelanggan', 'orang sebenar', 'bercakap dengan orang', 'wakil'],
  // vi
  ['nhân viên', 'người thật', 'chăm sóc khách hàng', 'tư vấn viên', 'gặp người', 'tổng đài viên'],
  // th
  ['เจ้าหน้าที่', 'พนักงาน', 'คนจริง', 'แอดมิน', 'คุยกับคน', 'ฝ่ายบริการลูกค้า'],
  // my
  ['လူနဲ့', 'လူနှင့်', 'ဝန်ထမ်း', 'ဖောက်သည်ဝန်ဆောင်မှု', 'လူအစစ်'],
  // ta
  ['மனிதர்', 'மனிதரிடம்', 'மனிதருடன்', 'ஊழியர்', 'ஊழியரிடம்', 'வாடிக்கையாளர் சேவை', 'நபருடன்', 'ஒருவருடன்'],
  // ru
  ['оператор', 'оператора', 'оператору', 'оператором', 'человек', 'человека', 'человеком', 'сотрудник'],
  ['сотрудника', 'сотрудником', 'живой', 'служба поддержки', 'службу поддержки', 'менеджер', 'менеджера'],
  // bn
  ['মানুষের', 'মানুষ', 'গ্রাহক সেবা', 'প্রতিনিধি', 'প্রতিনিধির', 'কারও সাথে'],
]
  .flat()
  .map(normalize)

export const asksForPeople = (text: string): boolean => {
  const plain = normalize(text)
  return phrases.some((phrase) => containsPhrase(plain, phrase))
}
