import { expect, test } from 'vitest'
import { attachmentHeader, safeFileName } from './file-name.ts'

test.each([
  ['Bengali with a joiner', 'র‍্যাঙ্ক স্লিপ.pdf', 'র‍্যাঙ্ক স্লিপ.pdf'],
  ['Persian with a non-joiner', 'می‌خواهم.pdf', 'می‌خواهم.pdf'],
  ['a family', '👨‍👩‍👧 slip.pdf', '👨‍👩‍👧 slip.pdf'],
  [
    'a flag of tags',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}.pdf',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}.pdf',
  ],
  ['what turns text', 'slip\u202Efdp.exe.pdf', 'slip fdp.exe.pdf'],
  ['other marks that cannot be seen', 'a\u200Bb\u2066c\uFEFFd\u00ADe.pdf', 'a b c d e.pdf'],
  ['folders', '../..\\etc/a:b*c?"d<e>f|g.pdf', 'etc a b c d e f g.pdf'],
  ['nothing that can be seen', '\u200D\u200C.pdf', 'file.pdf'],
  ['a family at the end of what is kept', `${'a'.repeat(98)}👨‍👩‍👧.pdf`, `${'a'.repeat(98)}.pdf`],
  ['half an emoji, and tags of no flag', 'slip\ud83e\u{e0041}.pdf', 'slip.pdf'],
  ['decomposed letters', 'Nguyễn.PDF'.normalize('NFD'), 'Nguyễn.pdf'],
])('[CONV-12] the name of a file: %s', (_, given, shown) => {
  expect(safeFileName(given)).toBe(shown)
  const encoded = attachmentHeader(shown).split("filename*=UTF-8''")[1] ?? ''
  expect(decodeURIComponent(encoded)).toBe(shown)
})
