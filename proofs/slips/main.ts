import { parseArgs } from 'node:util'
import { examineSlip, type Packed, sameSlips } from '../../server/src/chat/slips/examine.ts'
import { bestFrame, FRAMES } from '../../server/src/chat/slips/book.ts'
import { dice } from '../../server/src/testing/ledger/dice.ts'
import { copies } from '../../server/src/testing/slips/copies.ts'
import { again, designs, draw, randomSlip } from '../../server/src/testing/slips/designs.ts'

/**
 * CASH-09: draws slips of five designs, each one after the other as a platform gets them, and copies of some: saved again,
 * cropped, photographed from a screen. A slip that is none but resembles one is by the same people, of the same bank and
 * amount, on another day. Prints what was found of the copies, and what was taken for a copy and is none.
 *
 *   npx tsx proofs/slips/main.ts --slips 1000
 */
const { values } = parseArgs({
  options: { slips: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
})
const random = dice(Number(values.seed))

const print = (text: string) => process.stdout.write(`${text}\n`)

type Kept = { id: string; hash: string; design: number; picture: Packed }
const book: Kept[] = []
const near = (a: string, b: string) => Array.from(a).filter((bit, at) => bit !== b[at]).length

/** As the server does it, with a list in place of a table (slips/book.ts). @returns which earlier slips are the same */
const add = async (id: string, image: Buffer): Promise<string[]> => {
  const first = await examineSlip(image, [])
  const frames = [...new Map(book.map((kept) => [kept.design, kept])).values()]
    .sort((a, b) => near(a.hash, first.hash) - near(b.hash, first.hash))
    .slice(0, FRAMES)
  const { hash, own, laid } = await examineSlip(
    image,
    frames.map(({ picture }) => picture),
  )
  const found: string[] = []
  for (const { frame, picture } of laid) {
    const others = book.filter(({ design }) => design === frames[frame]?.design)
    const same = await sameSlips(
      picture,
      others.map((other) => other.picture),
    )
    found.push(...same.map((at) => others[at]?.id ?? ''))
  }
  const joined = bestFrame(laid)
  book.push({
    id,
    hash,
    design: (joined && frames[joined.frame]?.design) ?? book.length,
    picture: joined?.picture ?? own,
  })
  return found
}

const count = Number(values.slips)
const found: Record<string, [found: number, of: number]> = {}
let wrong = 0
const began = performance.now()
let compared = 0
for (let i = 0; i < count; i++) {
  const design = i % designs.length
  const slip = randomSlip(random)
  const image = await draw(design, slip)
  const stored = random() < 0.5 ? await copies.saved(image, random) : image
  // Half of the slips have a sister, which is none of the copies.
  const sister = random() < 0.5 ? await copies.saved(await draw(design, again(slip, random)), random) : undefined
  for (const [id, one] of [
    [`${i}`, stored],
    [`${i} sister`, sister],
  ] as const) {
    if (!one) continue
    compared++
    const same = await add(id, one)
    if (same.length > 0) {
      wrong++
      print(`${id} of design ${design} was taken for ${same.join(', ')}`)
    }
  }
  if (i % 5 !== 0) continue
  for (const [kind, make] of Object.entries(copies)) {
    const copy = await make(image, random)
    const same = await add(`${i} ${kind}`, copy)
    const tally = (found[kind] ??= [0, 0])
    tally[1]++
    if (same.includes(`${i}`)) tally[0]++
    else print(`${kind} of ${i}, design ${design}, was not found`)
    const others = same.filter((id) => !id.startsWith(`${i}`) || id.includes('sister'))
    if (others.length === 0) continue
    wrong++
    print(`${kind} of ${i} was also taken for ${others.join(', ')}`)
  }
}
const [all, of] = Object.values(found).reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0])
const designsFound = new Set(book.map(({ design }) => design)).size
const bytes = book.reduce((sum, { picture }) => sum + picture.length, 0) / book.length
for (const [kind, [a, b]] of Object.entries(found)) print(`${kind}: ${a} of ${b} found`)
print(`copies found: ${((100 * all) / of).toFixed(1)} % of ${of} (at least 95)`)
print(`taken for a copy: ${wrong} of ${compared} (at most 1 in 1,000)`)
print(
  `${designsFound} designs, ${Math.round(bytes)} bytes a picture, ${Math.round((performance.now() - began) / book.length)} ms a slip`,
)
process.exitCode = all / of >= 0.95 && wrong <= compared / 1000 ? 0 : 1
