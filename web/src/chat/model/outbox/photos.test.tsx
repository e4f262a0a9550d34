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
