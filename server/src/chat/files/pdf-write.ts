import { type PdfRef, type PdfValue } from './pdf-syntax.ts'

export type PdfObject = {
  generation: number
  value: PdfValue
  /** The bytes to write: of the value, and of the stream behind it. */
  source: Buffer
  stream: Buffer | undefined
}
export type PdfScan = {
  objects: Map<number, PdfObject>
  root: PdfValue | undefined
  info: Set<number>
  isEncrypted: boolean
}

/** The objects one after the other, a table of their places, and a trailer that names the catalog and nothing else. */
export const writePdf = (version: string, { objects, root, info }: PdfScan): Buffer => {
  const parts: Buffer[] = []
  let at = 0
  const put = (part: string | Buffer) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part
    parts.push(bytes)
    at += bytes.length
  }
  // Objects that were packed need a version that has them; the comment says that the file is not text.
  put(`%PDF-${version < '1.5' ? '1.5' : version}\n%\xe2\xe3\xcf\xd3\n`)
  const numbers = [...objects.keys()].filter((number) => !info.has(number)).toSorted((a, b) => a - b)
  const places = new Map<number, { at: number; generation: number }>()
  for (const number of numbers) {
    const object = objects.get(number)
    if (!object || number === 0) continue
    places.set(number, { at, generation: object.generation })
    put(`${number} ${object.generation} obj\n`)
    put(object.source)
    if (object.stream) {
      put('\nstream\n')
      put(object.stream)
      put('\nendstream')
    }
    put('\nendobj\n')
  }
  const table = at
  put('xref\n0 1\n0000000000 65535 f \n')
  const all = [...places]
  for (let from = 0; from < all.length; ) {
    let to = from + 1
    while (to < all.length && (all[to]?.[0] ?? 0) === (all[to - 1]?.[0] ?? 0) + 1) to++
    const lines = all.slice(from, to)
    put(`${lines[0]?.[0]} ${lines.length}\n`)
    put(
      lines
        .map(([, place]) => `${String(place.at).padStart(10, '0')} ${String(place.generation).padStart(5, '0')} n \n`)
        .join(''),
    )
    from = to
  }
  const { number } = root as PdfRef
  put(`trailer\n<< /Size ${(all.at(-1)?.[0] ?? 0) + 1} /Root ${number} ${places.get(number)?.generation ?? 0} R >>\n`)
  put(`startxref\n${table}\n%%EOF\n`)
  return Buffer.concat(parts)
}
