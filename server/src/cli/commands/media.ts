import { createHash } from 'node:crypto'
import { mediaKey } from '../../data/media/keys.ts'
import { openMediaStores } from '../../data/media/stores.ts'
import { MediaAway, type MediaStore } from '../../data/media/store.ts'
import { type Database, many, one, type Row, sql } from '../../data/sql.ts'
import { inChunks } from '../../lib/concurrency.ts'
import { StartError } from '../../lib/start-error.ts'
import type { Command } from './command.ts'

/** Rows of one look. */
const PAGE = 1000
/** Files at once. */
const AT_ONCE = 4
const NAMED = 20

async function* allMedia(db: Database): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const rows = await many<Row & { id: string }>(
      db,
      sql`select id from media where id > ${after} order by id limit ${PAGE}::int`,
    )
    yield rows.map(({ id }) => id)
    if (rows.length < PAGE) return
    after = rows.at(-1)?.id ?? ''
  }
}

const hashOf = (body: Buffer) => createHash('sha256').update(body).digest('hex')

type Moved = 'moved' | 'there' | 'lost'
/** Deletes the old one only after the new one was read back and is the same, byte for byte. */
const moveOne = async (db: Database, id: string, from: MediaStore, to: MediaStore): Promise<Moved> => {
  const key = mediaKey(id)
  const body = await from.read(key)
  if (!body) return (await to.size(key)) === undefined ? 'lost' : 'there'
  await to.put(key, body)
  const stored = await to.read(key)
  if (!stored || stored.length !== body.length || hashOf(stored) !== hashOf(body))
    throw new StartError(`${key} was stored and is read as something else. Nothing was deleted: look at the S3 server.`)
  // Deleted from both places while it was moved.
  const isNeeded = await one(db, sql`select 1 as needed from media where id = ${id}`)
  if (!isNeeded) await to.remove(key)
  await from.remove(key)
  return 'moved'
}

type Counts = Record<Moved, number> & { lostIds: string[] }
const move = async (db: Database, from: MediaStore, to: MediaStore, progress: (done: number) => void) => {
  const counts: Counts = { moved: 0, there: 0, lost: 0, lostIds: [] }
  for await (const ids of allMedia(db)) {
    await inChunks(ids, AT_ONCE, async (id) => {
      const found = await moveOne(db, id, from, to)
      // It was deleted meanwhile.
      if (found === 'lost' && !(await one(db, sql`select 1 as needed from media where id = ${id}`))) return
      counts[found]++
      if (found === 'lost') counts.lostIds.push(id)
      if (found === 'moved' && counts.moved % PAGE === 0) progress(counts.moved)
    })
  }
  return counts
}

const keysIn = async (store: MediaStore) => {
  const keys = new Set<string>()
  for await (const { key } of store.list('media/')) keys.add(key)
  return keys
}

const check = async (db: Database, directory: MediaStore, s3: MediaStore | undefined) => {
  const [here, there] = [await keysIn(directory), s3 ? await keysIn(s3) : new Set<string>()]
  const counts = { directory: 0, s3: 0, both: 0, lostIds: [] as string[] }
  for await (const ids of allMedia(db))
    for (const id of ids) {
      const key = mediaKey(id)
      const [isHere, isThere] = [here.has(key), there.has(key)]
      if (isHere && isThere) counts.both++
      else if (isHere) counts.directory++
      else if (isThere) counts.s3++
      else counts.lostIds.push(id)
    }
  return counts
}

const namesOf = (ids: string[]) => `${ids.slice(0, NAMED).join(', ')}${ids.length > NAMED ? ' …' : ''}`

/** `npm run media`: says where images and files are, and moves them. Exits with 1 when one of them is lost. */
export const media: Command = async ({ command }, { db, settings, print }) => {
  const { directory, s3 } = await openMediaStores(settings)
  const work = async (): Promise<string[]> => {
    if (command === 'check') {
      const counts = await check(db, directory, s3)
      print(`In DATA_DIR/media: ${counts.directory}. In S3: ${counts.s3}. In both: ${counts.both}.`)
      return counts.lostIds
    }
    if (!s3)
      throw new StartError(
        'There is nowhere to move to: set S3_URL and the settings beside it (docs/operations/run.md).',
      )
    const isToS3 = settings.media.newGoTo === 's3'
    const [from, to] = isToS3 ? [directory, s3] : [s3, directory]
    const { moved, there, lostIds } = await move(db, from, to, (done) => print(`${done} moved so far`))
    print(`Moved to ${isToS3 ? 'S3' : 'DATA_DIR/media'}: ${moved}. Already there: ${there}.`)
    return lostIds
  }
  const lost = await work().catch((error: unknown) => {
    throw error instanceof MediaAway
      ? new StartError(`${error.message}. Run it again: it goes on where it ended.`)
      : error
  })
  if (lost.length === 0) return 0
  print(`Lost, because they are in neither place: ${lost.length} (${namesOf(lost)}).`)
  print('Bring them back from a backup, or by the versions that the bucket keeps: docs/operations/run.md.')
  return 1
}
