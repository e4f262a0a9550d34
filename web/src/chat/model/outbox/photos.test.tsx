import { expect, test, vi } from 'vitest'
import { makePhotos } from './photos.ts'

test('[ROOM-07] a photo that only the server can decode is sent as a photo, without its size', async () => {
  const add = vi.fn<Parameters<typeof makePhotos>[0]['add']>(() => 'id')
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...Array<number>(24).fill(0)])
  makePhotos({ add }).add('room', [new File([png], 'a.png', { type: 'image/png' })])
  await expect.poll(() => add.mock.calls).toHaveLength(1)
  expect(add).toHaveBeenCalledWith('room', expect.stringMatching(/^data:image\/png/), {
    image: expect.objectContaining({ width: 0 }),
    quote: undefined,
  })
})

const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
test.each([
  ['a text', 'notes.txt', 'text/plain', 'only text', 'message.not_an_image', 'message.file_unknown'],
  ['a program', 'setup.exe', 'application/octet-stream', 'MZ\0\0', 'message.not_an_image', 'message.file_unknown'],
  ['a false photo', 'a.png', 'image/png', 'only text', 'message.not_an_image', 'message.not_an_image'],
  ['a PDF', 'slip.pdf', 'application/pdf', '%PDF-1.7\n', 'message.not_an_image', undefined],
] as const)(
  '[ROOM-07] the photo button says of what is no image that it must be one, the paper clip what can be sent: %s',
  async (_, name, type, text, asPhoto, asFile) => {
    const add = vi.fn<Parameters<typeof makePhotos>[0]['add']>(() => 'id')
    const photos = makePhotos({ add })
    const file = new File([bytesOf(text)], name, { type })
    photos.add('photo', [file], { onlyImages: true })
    photos.add('clip', [file])
    await expect.poll(() => [photos.of('photo').busy, photos.of('clip').busy]).toEqual([0, 0])
    expect([photos.of('photo').error, photos.of('clip').error]).toEqual([asPhoto, asFile])
    expect(add).toHaveBeenCalledTimes(asFile ? 0 : 1)
  },
)
