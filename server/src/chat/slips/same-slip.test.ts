import { expect, test } from 'vitest'
import { copies } from '../../testing/slips/copies.ts'
import { dice } from '../../testing/ledger/dice.ts'
import { again, draw, randomSlip } from '../../testing/slips/designs.ts'
import { examineSlip, sameSlips } from './examine.ts'

// The proof does it with a thousand (proofs/slips).
test('[CASH-09] a copy is found, whether saved again, cropped or photographed, and the next payment is not taken for one', async () => {
  const random = dice(9)
  for (const design of [0, 2, 4]) {
    const slip = randomSlip(random)
    const image = await draw(design, slip)
    const { own } = await examineSlip(image, [])
    const isSame = async (other: Buffer) => {
      const [laid] = (await examineSlip(other, [own])).laid
      return laid ? (await sameSlips(laid.picture, [own])).length === 1 : 'not laid'
    }
    for (const [kind, copy] of Object.entries(copies))
      expect([design, kind, await isSame(await copy(image, random))]).toEqual([design, kind, true])
    expect([design, await isSame(await draw(design, again(slip, random)))]).toEqual([design, false])
  }
  // Nothing is written on a white sheet.
  const { own: white } = await examineSlip(await copies.saved(await draw(9, randomSlip(random)), random), [])
  expect(await sameSlips(white, [white])).toEqual([])
})
