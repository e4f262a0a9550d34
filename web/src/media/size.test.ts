import { describe, expect, it } from 'vitest'
import { isImage, sizeFor } from './size.ts'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

describe('[ROOM-07] photos', () => {
  it.each([
    ['a wide photo', 4000, 3000, 1200, 900],
    ['a small one is not enlarged', 300, 200, 300, 200],
    ['a tall strip', 1000, 20_000, 400, 8000],
    ['a screenshot of three screens', 1080, 6000, 1080, 6000],
    ['a screenshot of six screens', 1080, 14_400, 600, 8000],
    ['a line', 20_000, 3, 1200, 1],
  ])('%s', (_, width, height, w, h) => expect(sizeFor(width, height)).toEqual({ width: w, height: h }))

  it.each([
    ['\xff\xd8\xff\xe0', true],
    ['\x89PNG\r\n\x1a\n....', true],
    ['GIF89a', true],
    ['RIFF....WEBPVP8 ', true],
    ['....ftypheic', true],
    ['plain words called photo.jpg', false],
    ['<svg xmlns="http://', false],
    ['', false],
  ])('%j is an image: %s', (head, is) => expect(isImage(bytes(head))).toBe(is))
})
