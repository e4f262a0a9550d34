/** The zeros of the scripts whose digits people type; the nine others follow each of them. */
const ZEROS = '٠۰०০௦๐໐၀႐០０'
const DIGIT = new RegExp(
  `[${Array.from(ZEROS, (zero) => `${zero}-${String.fromCharCode(zero.charCodeAt(0) + 9)}`).join('')}]`,
  'g',
)

/** Digits of other scripts become 0 to 9: "০৯" is "09". */
export const asciiDigits = (text: string): string =>
  text.replace(DIGIT, (digit) => {
    const code = digit.charCodeAt(0)
    const zero = Array.from(ZEROS, (letter) => letter.charCodeAt(0)).find((from) => code >= from && code <= from + 9)
    return String(code - (zero ?? code))
  })
