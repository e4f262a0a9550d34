import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { rewritePdf } from './pdf.ts'

/** A PDF whose only object packs `count` objects, all in the same place. */
const packing = (count: number, body: string) => {
  const head = Array.from({ length: count }, (_, at) => `${at + 10} 0 `).join('')
  const data = deflateSync(head + body)
  const dict = `<< /Type /ObjStm /N ${count} /First ${head.length} /Filter /FlateDecode /Length ${data.length} >>`
  return Buffer.concat([
    Buffer.from(`%PDF-1.7\n1 0 obj\n${dict}\nstream\n`),
    data,
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 2 0 R >>\n%%EOF\n'),
  ])
}

test('[CONV-12] a small PDF that would keep its reader busy for minutes is refused after seconds', () => {
  const all = { reason: 'damaged' }
  expect(() => rewritePdf(packing(60_000, `(${'a'.repeat(1_000_000)})`))).toThrow(
    expect.objectContaining({ ...all, message: 'objects overlap' }),
  )
  const many = { ...all, message: 'too many values' }
  expect(() => rewritePdf(packing(1, `[${'0 '.repeat(1_500_000)}]`))).toThrow(expect.objectContaining(many))
  // Without packing, between the objects.
  const words = Buffer.from(`%PDF-1.7\n${'1 '.repeat(1_500_000)}\n%%EOF\n`)
  expect(() => rewritePdf(words)).toThrow(expect.objectContaining(many))
})
