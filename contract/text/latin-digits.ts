/** The zeros of the scripts in which people type numbers; nine digits follow each. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
  0x1090, 0x17e0, 0x1810, 0xa8d0, 0xff10,
]

const latinDigit = (letter: string): string => {
  const code = letter.codePointAt(0) ?? 0
  const zero = ZEROS.find((first) => code >= first && code < first + 10)
  return zero === undefined ? letter : String(code - zero)
}

/** "၁၂" and "１２" are "12". Everything else stays. */
export const latinDigits = (text: string): string => text.replace(/[^\0-\u065f]/g, latinDigit)
