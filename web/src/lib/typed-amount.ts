import { latinDigits } from '@tallyroom/contract/text/latin-digits'
import { type AmountReading, amountIn, readAmount } from '@tallyroom/contract/text/typed-amount'

type Found = {
  amount: string | undefined
  words: string
  /** The number of the text that may be two amounts, if there is no amount. */
  unclear?: AmountReading
}

/** Words that multiply the number before them, so that it is another amount: "5 l" is five lakh. */
const MULTIPLIERS = new Set(
  (
    'k rb ribu jt juta m mn mil mio million ty tỷ tr triệu ng nghìn ngàn l lk lac lakh lakhs cr crore crores w wan 千 万 萬 億 亿 ' +
    'тыс тыс. млн พัน หมื่น แสน ล้าน ထောင် သောင်း သိန်း হাজার লাখ কোটি ஆயிரம் லட்சம் இலட்சம் கோடி'
  ).split(' '),
)
const multiplies = (word: string | undefined) => MULTIPLIERS.has(word?.toLowerCase() ?? '')

const hasDigit = (text: string) => /\d/.test(latinDigits(text))
const positive = (text: string) => {
  const amount = amountIn(text)
  return amount && /[1-9]/.test(amount) ? amount : undefined
}

/**
 * The first amount of a typed text, without its separators, and the other words: "ann 500" is 500 and "ann". "1 250,50"
 * is one amount.
 */
export const typedAmount = (text: string): Found => {
  const parts = text.split(/\s+/)
  const numbers = [...parts.entries()].filter(([, part]) => hasDigit(part))
  // "rm88" may be 88 ringgit, but is rather a name beside a number that is nothing else.
  const isPlain = ([, part]: [number, string]) => !/\p{L}/u.test(part)
  for (const [first] of [...numbers.filter(isPlain), ...numbers.filter((one) => !isPlain(one))]) {
    let behind = first + 1
    while (/^[\d.,]+$/.test(latinDigits(parts[behind] ?? '')) && positive(parts.slice(first, behind + 1).join(' ')))
      behind++
    const amount = positive(parts.slice(first, behind).join(' '))
    if (amount && !multiplies(parts[behind])) return { amount, words: parts.toSpliced(first, behind - first).join(' ') }
  }
  const unclear = parts.map((part) => readAmount(part)).find(({ problem }) => problem === 'two_readings')
  return { amount: undefined, words: text, ...(unclear ? { unclear } : {}) }
}
