import sharp from 'sharp'
import { dice } from '../ledger/dice.ts'

// Slips as banks draw them.

export type Random = () => number
export const below = (random: Random, most: number) => Math.floor(random() * most)
export const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)] as T
const digits = (random: Random, length: number) => Array.from({ length }, () => below(random, 10)).join('')
const two = (number: number) => String(number).padStart(2, '0')

const names = [
  'ANN LEE SIEW MEI',
  'TAN KAH WEI',
  'MUHAMMAD AMIN BIN OSMAN',
  'SITI NURHALIZA',
  'NGUYEN VAN HUNG',
  'DEWI LESTARI',
]
const day = (random: Random) =>
  `${two(1 + below(random, 28))} ${pick(random, ['Sep', 'Oct', 'Nov'])} 2026 ${two(below(random, 24))}:${two(below(random, 60))}:${two(below(random, 60))}`

export type Slip = {
  from: string
  to: string
  account: string
  toAccount: string
  amount: string
  at: string
  reference: string
}
export const randomSlip = (random: Random): Slip => ({
  from: pick(random, names),
  to: pick(random, names),
  account: digits(random, 12),
  toAccount: digits(random, 12),
  amount: `${pick(random, [50, 100, 300, 1000])}.${random() < 0.5 ? '00' : digits(random, 2)}`,
  at: day(random),
  reference: digits(random, 10),
})
/** The next payment of the same amount to the same account: only time and number differ. */
export const again = (slip: Slip, random: Random): Slip => ({
  ...slip,
  at: day(random),
  reference: slip.reference.slice(0, 4) + digits(random, 6),
})

type Text = { x: number; y: number; size: number; fill?: string; anchor?: 'middle' | 'end'; mono?: true }
const write = (text: string, { x, y, size, fill = '#000', anchor, mono }: Text) =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" font-family="${mono ? 'DejaVu Sans Mono' : 'DejaVu Sans'}" xml:space="preserve"${anchor ? ` text-anchor="${anchor}"` : ''}>${text}</text>`

/** Squares like those of a QR code, by the number of the payment. */
const code = ({ reference }: Slip) => {
  const random = dice(Number(reference) | 0)
  const square = (_: unknown, at: number) =>
    random() < 0.5
      ? `<rect x="${300 + (at % 29) * 10}" y="${950 + Math.floor(at / 29) * 10}" width="10" height="10"/>`
      : ''
  return Array.from({ length: 29 * 29 }, square).join('')
}

const maybank = (slip: Slip) => {
  const lines = [
    ['Reference ID', slip.reference],
    ['Date and time', slip.at],
    ['From', slip.from],
    ['From account', slip.account],
    ['To', slip.to],
    ['To account', slip.toAccount],
    ['Reference', 'topup'],
  ]
  const line = ([label = '', value = '']: string[], i: number) =>
    write(label, { x: 110, y: 890 + i * 118, size: 34, fill: '#777' }) +
    write(value, { x: 970, y: 890 + i * 118, size: 34, anchor: 'end' })
  return `<rect width="1080" height="2340" fill="#f4f5f7"/><rect width="1080" height="420" fill="#ffc72c"/><circle cx="540" cy="420" r="90" fill="#1aa260"/>
    ${write('Maybank2u', { x: 540, y: 180, size: 60, anchor: 'middle' })}${write('Transfer successful', { x: 540, y: 600, size: 52, anchor: 'middle' })}
    ${write(`RM ${slip.amount}`, { x: 540, y: 720, size: 84, anchor: 'middle' })}<rect x="60" y="800" width="960" height="900" rx="24" fill="#fff"/>${lines.map(line).join('')}
    <rect x="110" y="1950" width="860" height="130" rx="65" fill="#ffc72c"/>`
}
const cimb = (slip: Slip) => {
  const lines = [
    ['Status', 'Successful'],
    ['Amount', `MYR ${slip.amount}`],
    ['Beneficiary', slip.to],
    ['Account', slip.toAccount],
    ['From', slip.account],
    ['Date', slip.at],
    ['Ref. no.', slip.reference],
  ]
  const line = ([label = '', value = '']: string[], i: number) =>
    write(label, { x: 60, y: 440 + i * 170, size: 34, fill: '#888' }) +
    write(value, { x: 60, y: 500 + i * 170, size: 44 })
  return `<rect width="1080" height="1920" fill="#fff"/><rect width="1080" height="160" fill="#790008"/>${write('CIMB Clicks', { x: 60, y: 105, size: 56, fill: '#fff' })}
    ${write('Transaction details', { x: 60, y: 300, size: 44 })}${lines.map(line).join('')}${write('This receipt needs no signature.', { x: 60, y: 1780, size: 28, fill: '#999' })}`
}
const dark = (slip: Slip) => {
  const lines = [
    ['Thoi gian', slip.at],
    ['Ma giao dich', `FT${slip.reference}`],
    ['Nguoi nhan', slip.to],
    ['So tai khoan', slip.toAccount],
    ['Nguoi gui', slip.from],
  ]
  const line = ([label = '', value = '']: string[], i: number) =>
    write(label, { x: 90, y: 800 + i * 150, size: 38, fill: '#9aa' }) +
    write(value, { x: 90, y: 860 + i * 150, size: 44, fill: '#fff' })
  return `<rect width="1170" height="2532" fill="#101418"/>${write('Chuyen tien thanh cong', { x: 585, y: 400, size: 48, fill: '#e8e8e8', anchor: 'middle' })}
    ${write(`${slip.amount} VND`, { x: 585, y: 560, size: 100, fill: '#3ddc84', anchor: 'middle' })}${lines.map(line).join('')}<rect x="90" y="2200" width="990" height="140" rx="20" fill="#3ddc84"/>`
}
const withCode = (slip: Slip) => {
  const right = (text: string, y: number, size: number) => write(text, { x: 820, y, size, anchor: 'end' })
  return `<rect width="900" height="1400" fill="#fff"/><rect x="20" y="20" width="860" height="1360" fill="none" stroke="#4e2e7f" stroke-width="10" rx="30"/>
    ${write('SCB transfer completed', { x: 450, y: 140, size: 50, fill: '#4e2e7f', anchor: 'middle' })}${write(slip.at, { x: 450, y: 230, size: 34, anchor: 'middle' })}
    ${write(`Ref. ${slip.reference}`, { x: 450, y: 290, size: 30, anchor: 'middle' })}${write('From', { x: 80, y: 440, size: 36 })}${right(slip.from, 440, 34)}
    ${right(`xxx-xxx${slip.account.slice(6, 10)}-x`, 500, 32)}${write('To', { x: 80, y: 640, size: 36 })}${right(slip.to, 640, 34)}
    ${right(`xxx-xxx${slip.toAccount.slice(6, 10)}-x`, 700, 32)}${write('Amount', { x: 80, y: 860, size: 40 })}${right(slip.amount, 860, 56)}${code(slip)}`
}
const machine = (slip: Slip) => {
  const lines = [
    `DATE/TIME  : ${slip.at}`,
    `TERMINAL   : 00${slip.toAccount.slice(0, 6)}`,
    `TRACE NO   : ${slip.reference.slice(4)}`,
    `ACCOUNT NO : ${slip.toAccount}`,
    `NAME       : ${slip.to}`,
    `AMOUNT     : RM${slip.amount}`,
  ]
  const line = (text: string, i: number) => write(text, { x: 40, y: 300 + i * 110, size: 32, mono: true })
  return `<rect width="800" height="1300" fill="#fbfbf6"/>${write('CASH DEPOSIT MACHINE', { x: 400, y: 100, size: 44, anchor: 'middle' })}
    ${write('PUBLIC BANK BERHAD', { x: 400, y: 160, size: 32, anchor: 'middle' })}${lines.map(line).join('')}${write('THANK YOU', { x: 400, y: 1180, size: 30, anchor: 'middle' })}`
}
export const designs = [
  { width: 1080, height: 2340, body: maybank },
  { width: 1080, height: 1920, body: cimb },
  { width: 1170, height: 2532, body: dark },
  { width: 900, height: 1400, body: withCode },
  { width: 800, height: 1300, body: machine },
]

/** A slip as a JPEG. */
export const draw = (design: number, slip: Slip): Promise<Buffer> => {
  const { width, height, body } = designs[design] ?? { width: 1, height: 1, body: () => '' }
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body(slip)}</svg>`
  return sharp(Buffer.from(drawn)).jpeg({ quality: 90 }).toBuffer()
}
