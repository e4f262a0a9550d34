/** The objects of a PDF file (ISO 32000-1, 7.3), as far as looking for what is in one needs them. */
export type PdfValue = null | boolean | number | PdfName | PdfText | PdfRef | PdfValue[] | PdfDict
export class PdfName {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}
/** A string. Its words are not needed. */
export class PdfText {}
export class PdfRef {
  readonly number: number
  constructor(number: number) {
    this.number = number
  }
}
export type PdfDict = Map<string, PdfValue>

/** What a name says; undefined for everything else. */
export const nameOf = (value: PdfValue | undefined) => (value instanceof PdfName ? value.name : undefined)

/** The bytes are not what the syntax allows. */
export class PdfError extends Error {}

const MAX_DEPTH = 60
const isSpace = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c || byte === 0x00
const DELIMITERS = new Set(Buffer.from('()<>[]{}/%'))
const isRegular = (byte: number | undefined) => byte !== undefined && !isSpace(byte) && !DELIMITERS.has(byte)
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39

/** How many values all readers of one file may still read. */
export type PdfBudget = { values: number }

/** Reads values from `at` on. It never looks behind `end`, and every step moves on. */
export class PdfReader {
  at: number
  private readonly bytes: Buffer
  private readonly budget: PdfBudget
  private readonly end: number
  private readonly comments: { from: number; to: number }[] = []
  constructor(bytes: Buffer, budget: PdfBudget, at = 0, end = bytes.length) {
    this.bytes = bytes
    this.budget = budget
    this.at = at
    this.end = end
  }

  /** Counts a value, or a word between objects. */
  spend(): void {
    if (--this.budget.values < 0) throw new PdfError('too many values')
  }

  /** Skips white space and comments. */
  skip(): void {
    for (; this.at < this.end; this.at++) {
      const byte = this.bytes[this.at]
      if (byte === 0x25) this.comment()
      else if (!isSpace(byte)) return
    }
  }

  private comment(): void {
    const from = this.at
    while (this.at < this.end && this.bytes[this.at] !== 0x0a && this.bytes[this.at] !== 0x0d) this.at++
    if (from >= (this.comments.at(-1)?.to ?? 0)) this.comments.push({ from, to: this.at })
  }

  /** The bytes from a place to where it is now, without comments: those may hold anything. */
  since(from: number): Buffer {
    const inside = this.comments.filter((comment) => comment.from >= from && comment.to <= this.at)
    this.comments.length = 0
    const parts: Buffer[] = []
    let at = from
    for (const comment of inside) {
      parts.push(this.bytes.subarray(at, comment.from))
      at = comment.to
    }
    parts.push(this.bytes.subarray(at, this.at))
    return parts.length > 1 ? Buffer.concat(parts) : (parts[0] ?? Buffer.alloc(0))
  }

  /** Takes the word if it comes next. */
  take(word: string): boolean {
    this.skip()
    const end = this.at + word.length
    if (end > this.end || this.bytes.toString('latin1', this.at, end) !== word || isRegular(this.bytes[end]))
      return false
    this.at = end
    return true
  }

  /** A whole number without a sign, or undefined and nothing is taken. */
  whole(): number | undefined {
    this.skip()
    const from = this.at
    let at = from
    while (at < this.end && at - from < 10 && isDigit(this.bytes[at])) at++
    if (at === from || isRegular(this.bytes[at])) return undefined
    this.at = at
    return Number(this.bytes.toString('latin1', from, at))
  }

  value(depth = 0): PdfValue {
    if (depth > MAX_DEPTH) throw new PdfError('nested too deep')
    this.spend()
    this.skip()
    if (this.at >= this.end) throw new PdfError('the file ends inside of a value')
    const byte = this.bytes[this.at]
    if (byte === 0x2f) return new PdfName(this.name())
    if (byte === 0x28) return this.text()
    if (byte === 0x5b) return this.list(depth)
    if (byte === 0x3c) return this.bytes[this.at + 1] === 0x3c ? this.dict(depth) : this.hexText()
    return this.word()
  }

  private name(): string {
    const from = ++this.at
    while (this.at < this.end && isRegular(this.bytes[this.at])) this.at++
    if (this.at - from > 500) throw new PdfError('a name is too long')
    // #4A is J: a reader sees the same name.
    return this.bytes
      .toString('latin1', from, this.at)
      .replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }

  private text(): PdfText {
    let open = 0
    for (; this.at < this.end; this.at++) {
      const byte = this.bytes[this.at]
      if (byte === 0x5c) this.at++
      else if (byte === 0x28) open++
      else if (byte === 0x29 && --open === 0) {
        this.at++
        return new PdfText()
      }
    }
    throw new PdfError('a string has no end')
  }

  private hexText(): PdfText {
    const close = this.bytes.indexOf(0x3e, this.at)
    if (close < 0 || close >= this.end) throw new PdfError('a string has no end')
    this.at = close + 1
    return new PdfText()
  }

  private list(depth: number): PdfValue[] {
    this.at++
    const items: PdfValue[] = []
    for (;;) {
      this.skip()
      if (this.bytes[this.at] === 0x5d && this.at < this.end) {
        this.at++
        return items
      }
      items.push(this.value(depth + 1))
    }
  }

  private dict(depth: number): PdfDict {
    this.at += 2
    const found: PdfDict = new Map()
    for (;;) {
      this.skip()
      if (this.bytes[this.at] === 0x3e && this.bytes[this.at + 1] === 0x3e && this.at + 1 < this.end) {
        this.at += 2
        return found
      }
      if (this.bytes[this.at] !== 0x2f || this.at >= this.end) throw new PdfError('a key is no name')
      found.set(this.name(), this.value(depth + 1))
    }
  }

  /** A number, a reference, true, false or null. */
  private word(): PdfValue {
    const number = this.whole()
    if (number !== undefined) {
      const after = this.at
      if (this.whole() !== undefined && this.take('R')) return new PdfRef(number)
      this.at = after
      return number
    }
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const)
      if (this.take(word)) return value
    const from = this.at
    while (this.at < this.end && isRegular(this.bytes[this.at])) this.at++
    const word = this.bytes.toString('latin1', from, Math.min(this.at, from + 40))
    if (!/^[+-]*\d*\.?\d*(-\d+)?$/.test(word) || word === '') throw new PdfError(`unknown word ${JSON.stringify(word)}`)
    return Number.parseFloat(word) || 0
  }
}
