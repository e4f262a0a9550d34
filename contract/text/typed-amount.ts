import { latinDigits } from './latin-digits.ts'

/**
 * Why a text is no amount. `two_readings`: its one separator may group thousands or begin the decimals. `not_one`: it is
 * no number, or more than one. `no_minus`: it is negative. `too_exact`: it has more than 12 whole digits or more than 4
 * decimals.
 */
export type AmountProblem = 'two_readings' | 'not_one' | 'no_minus' | 'too_exact'

export type AmountReading =
  | {
      /** The text with Latin digits and without separators. It may be unfinished: "12.", ".5", "". */
      text: string
      /** "12.5". Missing while there is no digit yet. */
      amount?: string
      problem?: undefined
    }
  | {
      problem: AmountProblem
      /** What it may mean, of `two_readings`: "1250" and "1.25". */
      meanings?: readonly [string, string]
    }

const DIGIT_SIGNS: Record<string, string> = { '．': '.', '。': '.', '｡': '.', '٫': '.', '，': ',', '٬': "'" }
/** Writes Latin digits and signs, plain spaces, and drops what cannot be seen. */
const latin = (typed: string): string =>
  latinDigits(typed)
    .replace(/[\p{Cf}\u034f]/gu, '')
    .replace(/[．。｡٫，٬]/g, (sign) => DIGIT_SIGNS[sign] ?? sign)
    .replace(/['’‘ʼ´`＇]/g, "'")
    .replace(/[−－‐‑–]/g, '-')
    .replace(/＋/g, '+')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()

/** Words that may stand beside a number without changing it. Never one that multiplies, such as "k", "rb" or "万". */
const UNITS = new Set(
  (
    'twd nt ntd cny rmb cn idr rp myr rm inr rs lkr re vnd vnđ đ đồng dong thb baht บาท mmk ks kyat kyats ကျပ် rub р руб ' +
    'рубль рубля рублей bdt tk taka টাকা রূপি ரூ ரூபாய் ringgit rupiah usd us eur gbp sgd s hkd hk usdt 元 圆 圓 块 塊 円 ' +
    'points point pts pt poin mata điểm แต้ม 点 點 балл балла баллов পয়েন্ট புள்ளிகள் ပွိုင့်'
  ).split(' '),
)
/** Signs of a whole unit. A cent, a mill and a penny are a hundredth of what they stand beside, or less. */
const CURRENCY = String.raw`(?![¢￠₥₰৻])\p{Sc}`
const CURRENCIES = new RegExp(CURRENCY, 'gu')
const ENDS_IN_CURRENCY = new RegExp(String.raw`${CURRENCY}\.$`, 'u')
/** Units that are written with a full stop, as in "Rs.500". Behind another unit it begins decimals: "$.50". */
const ABBREVIATIONS = new Set(['rs', 're', 'rp', 'tk', 'ks', 'р', 'руб', 'ரூ'])
/** "Rp", "Rp.", "NT$", "₽", and behind a number the "/-" of South Asia. */
const isUnit = (text: string): boolean => {
  const word = text.trim().normalize('NFC').toLowerCase().replace(/\.$/, '').replace(CURRENCIES, '')
  return word === '' || UNITS.has(word)
}
/** Longer than any amount with its unit. */
const LONGEST = 60
const END_MARKS = /\/[-=]$/

/** Sign, unit, space, sign, number, unit. */
const SHAPE = /^([+-]?)([^\d.,' +-][^\d,' +-]*)?( ?)([+-]?)([\d.,' ]*?) ?([^\d.,' +-].*)?$/u
/** Thousands, with the same separator throughout; or as in South Asia, where the further groups have two digits. */
const GROUPED = /^[1-9]\d{0,2}([.,' ])\d{3}(\1\d{3})*$/
const SOUTH_ASIAN = /^[1-9]\d?(,\d{2})+,\d{3}$/
const isGrouped = (text: string) => GROUPED.test(text) || SOUTH_ASIAN.test(text)
const ungrouped = (text: string) => text.replace(/[.,' ]/g, '')

/** The full stop at the end of a unit that belongs to the number; undefined where it may belong to either. */
const pointOf = (unit: string): '.' | '' | undefined => {
  if (!unit.endsWith('.') || ABBREVIATIONS.has(unit.slice(0, -1).toLowerCase())) return ''
  return ENDS_IN_CURRENCY.test(unit) ? '.' : undefined
}

type Parts = { whole: string; decimals?: string }

/** The whole digits and the decimals; undefined if the separators do not fit together. */
const partsOf = (number: string): Parts | 'two_readings' | undefined => {
  const last = /[.,' ](?=\d*$)/.exec(number)
  if (!last) return { whole: number }
  const [sign] = last
  const left = number.slice(0, last.index)
  const right = number.slice(last.index + 1)
  if (sign === ' ' || sign === "'" || left.includes(sign))
    return isGrouped(number) ? { whole: ungrouped(number) } : undefined
  if (/\D/.test(left)) return isGrouped(left) ? { whole: ungrouped(left), decimals: right } : undefined
  const isAlsoGrouped = right.length === 3 && /^0*[1-9]\d{0,2}$/.test(left)
  return isAlsoGrouped ? 'two_readings' : { whole: left, decimals: right }
}

/** Shortens an amount in digits while it is read in one way only. "1.2500" is "1.25", "1.2340" stays. */
export const shortAmount = (amount: string): string => {
  const short = amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
  return partsOf(short.replace('-', '')) === 'two_readings' ? `${short}0` : short
}

/**
 * Reads what a person has typed or pasted as one amount in one reading, or says why not. "1,250.50", "1.250,50",
 * "1 250,50" and "Rp 1.000.000" are amounts; "1.250", "1e3", "5-10" and sentences are none. Decision 50.
 */
export const readAmount = (typed: string): AmountReading => {
  if (typed.length > LONGEST) return { problem: 'not_one' }
  const found = SHAPE.exec(latin(typed).replace(END_MARKS, ''))
  const [, before = '', unit = '', space = '', behind = '', digits = '', unitBehind = ''] = found ?? []
  const point = space ? '' : pointOf(unit)
  const number = (point ?? '') + digits
  const hasOnlyUnits = [unit, unitBehind].every((one) => one === '' || isUnit(one))
  // "- 500" may be an entry of a list.
  if (!found || !hasOnlyUnits || point === undefined || (behind && (before || point)) || /[+-] /.test(typed))
    return { problem: 'not_one' }
  if (before === '-' || behind === '-') return { problem: 'no_minus' }
  const parts = partsOf(number)
  if (parts === 'two_readings') return { problem: 'two_readings', meanings: meaningsOf(number) }
  if (!parts || ((unit || unitBehind) && !/\d/.test(number))) return { problem: 'not_one' }
  const whole = parts.whole.replace(/^0+(?=\d)/, '')
  const { decimals } = parts
  if (whole.length > 12 || /[1-9]/.test(decimals?.slice(4) ?? '')) return { problem: 'too_exact' }
  const text = whole + (decimals === undefined ? '' : `.${decimals.slice(0, 4)}`)
  if (!/\d/.test(text)) return { text }
  const rest = decimals?.slice(0, 4)
  return { text, amount: `${whole || '0'}${rest ? `.${rest}` : ''}` }
}

/** The amount that a text is, such as "1250.5"; undefined when it is none in one reading, or none yet. */
export const amountIn = (typed: string): string | undefined => {
  const reading = readAmount(typed)
  return reading.problem === undefined ? reading.amount : undefined
}

const meaningsOf = (number: string): readonly [string, string] => [
  ungrouped(number).replace(/^0+/, ''),
  shortAmount(number.replace(',', '.').replace(/^0+/, '')),
]
