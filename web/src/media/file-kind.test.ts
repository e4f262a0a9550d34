import { HEAD_BYTES } from '@tallyroom/contract/files'
import { expect, test } from 'vitest'
import { fileKind } from './file-kind.ts'

test.each([
  ['%PDF-1.7\n', 'pdf'],
  ['\xef\xbb\xbf%PDF-1.7\n', 'pdf'],
  ['\r\n\r\n%PDF-1.7\n', 'pdf'],
  [`${' '.repeat(HEAD_BYTES - 5)}%PDF-1.7\n`, 'pdf'],
  [`${' '.repeat(HEAD_BYTES)}%PDF-1.7\n`, undefined],
  ['\xff\xd8\xff a photo that speaks of %PDF-1.7', 'image'],
  ['....ftypheic', 'image'],
  ['....ftypM4A ', 'voice'],
  ['OggS', 'voice'],
  ['<html>', undefined],
  ['', undefined],
])('[CONV-12] the kind of %j is %s', async (text, kind) => {
  expect(await fileKind(new Blob([Buffer.from(text, 'latin1')]))).toBe(kind)
})
