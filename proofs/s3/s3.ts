import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Message } from '@tallyroom/contract/events'
import { MessageType } from '@tallyroom/contract/codes'
import type { Made } from '../../bench/lib/people.ts'
import { again } from '../../e2e/support/again.ts'
import { makeClient } from '../../e2e/support/client.ts'
import { many, one, sql } from '../../server/src/data/sql.ts'
import { makeVoice } from '../../server/src/testing/files.ts'
import {
  bodyOf,
  ceph,
  command,
  copies,
  db,
  desk,
  dirs,
  filler,
  first,
  get,
  isWhole,
  keysIn,
  members,
  postgres,
  refusals,
  sendFile,
  sendPhoto,
  startCopy,
  urlOf,
} from './set-up.ts'
import { times } from './times.ts'

// RUN-14. `npx tsx proofs/s3/s3.ts [--kills 10]`: a real Ceph with its S3 server, and two copies that share no disk. Needs
// Debian's `radosgw`, `ceph-mon`, `ceph-osd`, `ceph-mgr` and `ceph-common`.

const tell = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const KILLS = Number(process.argv[process.argv.indexOf('--kills') + 1] ?? 10) || 10
let failed = 0
const check = (what: string, isRight: boolean, more: object = {}) => {
  if (!isRight) failed++
  tell({ [isRight ? 'right' : 'WRONG']: what, ...more })
}

const kinds = async () => {
  const sent = [
    await sendPhoto(first),
    await sendPhoto(desk),
    await sendFile(first, await makeVoice({ seconds: 20 })),
    await sendFile(desk, filler(300_000)),
  ]
  let wrong = 0
  for (const { content } of sent)
    for (const at of [0, 1])
      for (const who of [first, desk]) {
        const whole = await bodyOf(await get(at, who, content))
        for (const [range, from, to] of [
          ['bytes=0-1', 0, 2],
          ['bytes=1000-', 1000, whole.length],
          ['bytes=-500', whole.length - 500, whole.length],
        ] as const) {
          const part = await get(at, who, content, { range })
          const isRight = part.status === 206 && (await bodyOf(part)).equals(whole.subarray(from, to))
          if (!isRight) wrong++
        }
        if ((await get(at, who, content, { range: `bytes=${whole.length}-` })).status !== 416) wrong++
        if ((await get(at, members[1] as Made, content)).status !== 404) wrong++
      }
  check('photos, a voice note and a PDF of both sides are read at both copies, whole and in parts', wrong === 0, {
    wrong,
  })
  check(
    'nothing is on the disks of the copies',
    dirs.every((dir) => readdirSync(join(dir, 'media')).length === 0),
  )
}

const large = async () => {
  const bytes = filler(20_900_000)
  const began = performance.now()
  const { content } = await sendFile(first, bytes, 5)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const body = await bodyOf(await get(1, desk, content))
  const text = bytes.subarray(2000, 20_000_000)
  check('20 MB in parts to both copies in turns, with a cut every five, arrive as they were', body.includes(text), {
    bytes: bytes.length,
    seconds,
  })
}

const kills = async () => {
  refusals.clear()
  const sent: { who: Made; message: Message; isPhoto: boolean }[] = []
  let texts = 0
  let slowest = 0
  let isOver = false
  const work = members.map(async (who, at) => {
    while (!isOver) {
      const isPhoto = (at + sent.length) % 2 === 0
      const message = isPhoto ? await sendPhoto(who) : await sendFile(who, filler(1_000_000), 4)
      sent.push({ who, message, isPhoto })
    }
  })
  const stopTexts = again(async () => {
    const began = performance.now()
    const message = { code: first.room, type: MessageType.text, content: 'hello', request_id: randomUUID() } as const
    await makeClient(urlOf(texts), desk.token).call('sendMessage', message)
    texts++
    slowest = Math.max(slowest, performance.now() - began)
    await pause(50)
  })
  for (let kill = 0; kill < KILLS; kill++) {
    await pause(1500 + Math.random() * 1500)
    await ceph.kill()
    await pause(Math.random() * 3000)
    await ceph.start()
  }
  await pause(2000)
  isOver = true
  await Promise.all(work)
  await stopTexts()
  let lost = 0
  let broken = 0
  for (const { who, message, isPhoto } of sent) {
    const answer = await get(sent.length, who, message.content)
    const body = await bodyOf(answer)
    if (answer.status !== 200) lost++
    else if (isPhoto ? !(await isWhole(body)) : !body.toString('latin1').endsWith('%%EOF\n')) broken++
  }
  const rows = await many<{ id: string; times: number }>(
    db,
    sql`select content as id, count(*)::int as times from messages where type in (2, 15) group by content`,
  )
  const doubled = rows.filter(({ times }) => times > 1).length
  const known = new Set((await many<{ id: string }>(db, sql`select id from media`)).map(({ id }) => id))
  const stray = (await keysIn('media/')).filter((key) => !known.has(key.slice(-32))).length
  await pause(2000)
  const facts = {
    kills: KILLS,
    sent: sent.length,
    texts,
    slowestTextMs: Math.round(slowest),
    refused: Object.fromEntries(refusals),
  }
  check(
    'The S3 server is killed in the middle of uploads: nothing lost, doubled or by half',
    lost + broken + doubled + stray === 0,
    {
      ...facts,
      lost,
      broken,
      doubled,
      stray,
      partsLeft: (await keysIn('uploads/')).length,
    },
  )
}
const erasing = async () => {
  const who = members[2] as Made
  await sendPhoto(who)
  const { upload } = await makeClient(urlOf(0), who.token).call('upload/begin', {
    code: who.room,
    name: 'a.pdf',
    size: 9,
  })
  await fetch(`${urlOf(0)}/upload/${upload}?offset=0`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/octet-stream' },
    body: 'some',
  })
  const ids = await many<{ id: string }>(
    db,
    sql`select id from media where room_id in (select id from rooms where partner_id = ${who.id})
      union all select id from uploads where account_id = ${who.id}`,
  )
  const left = async () => {
    const keys = await keysIn('media/')
    keys.push(...(await keysIn('uploads/')))
    return ids.filter(({ id }) => keys.some((key) => key.includes(id))).length
  }
  const before = await left()
  await ceph.kill()
  const said = await command('person', ['erase', who.username, '--again', who.username])
  await ceph.start()
  const after = await left()
  // At the start of a copy, and then each hour, what is noted is deleted.
  await copies[1]?.stop()
  copies[1] = await startCopy(1)
  for (let tries = 0; tries < 100 && (await left()) > 0; tries++) await pause(100)
  for (let tries = 0; tries < 100 && (await keysIn('uploads/')).length > 0; tries++) await pause(100)
  const parts = (await keysIn('uploads/')).length
  check('parts of uploads that could not be deleted while S3 was away are gone', parts === 0, { parts })
  check('a person is erased while S3 is away: no object of it is left', (await left()) === 0 && before === ids.length, {
    objects: before,
    whileAway: after,
    said: said.split('\n')[1],
  })
}

const moves = async () => {
  const count = (await one<{ n: number }>(db, sql`select count(*)::int as n from media`))?.n ?? 0
  const contents = await many<{ content: string }>(
    db,
    sql`select content from messages where type = 2 and room_id = (select id from rooms where partner_id = ${first.id}) limit 30`,
  )
  let reads = 0
  let wrong = 0
  const stop = again(async () => {
    const { content } = contents[reads++ % contents.length] ?? { content: '' }
    const answer = await get(0, desk, content)
    if (answer.status !== 200 || !(await isWhole(await bodyOf(answer)))) wrong++
  })
  const directory = { MEDIA_STORE: 'directory' }
  const back = await command('media', ['move'], directory)
  const inBucket = (await keysIn('media/')).length
  const cut = command('media', ['move'])
  await pause(1500)
  await ceph.kill()
  const broken = await cut
  await ceph.start()
  const there = await command('media', ['move'])
  const onDisk = readdirSync(join(dirs[0] as string, 'media'), { recursive: true }).filter(
    (name) => String(name).length > 2,
  ).length
  await pause(500)
  await stop()
  check(
    'npm run media -- move: to the disk and to S3 again, broken off once, while the server serves',
    inBucket + onDisk === 0,
    {
      images: count,
      back,
      broken,
      there,
      inBucket,
      onDisk,
      reads,
      refusedWhileS3Away: wrong,
    },
  )
}

try {
  await kinds()
  await large()
  await kills()
  await erasing()
  await moves()
  await times(tell)
  const doctor = await command('doctor', ['--quick'])
  check('npm run doctor finds the bucket in order', /can be stored in the bucket tallyroom-proof/.test(doctor))
} finally {
  for (const copy of copies) await copy.stop()
  await db.end()
  await postgres.stop()
  ceph.stop()
}
tell({ failed })
process.exitCode = failed ? 1 : 0
process.exit()
