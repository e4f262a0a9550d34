import { isOffice } from '@tallyroom/contract/codes'
import { PHOTO_HEIGHT, PHOTO_WIDTH } from '@tallyroom/contract/files'
import { createHash, randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { Actor } from '../identity/actor.ts'
import { shownText } from '../identity/masking.ts'
import { deleteNoted } from '../data/media/deletions.ts'
import { mediaKey } from '../data/media/keys.ts'
import type { ByteRange, MediaStore, OpenedMedia } from '../data/media/store.ts'
import { type Database, type Db, one, run, sql, type Tx } from '../data/sql.ts'
import { inTime } from '../lib/in-time.ts'
import { refuse } from '../lib/refusal.ts'
import { counted } from './files/quota.ts'
import { makeTurns } from './files/turns.ts'
import type { Attachment } from './room-row.ts'

/**
 * Images, voice notes and files. Their format is detected from the content. Images and voice notes are written again, which
 * drops metadata. All are stored under a random id (data/media), and served only to accounts that may see them.
 */
export type Media = {
  saveAvatar(db: Db, owner: Owner, dataUrl: string): Promise<string>
  /** A large image that all accounts of the top account may load, like an avatar. */
  savePicture(db: Db, owner: Owner, shape: 'background' | 'poster', dataUrl: string): Promise<string>
  /** The same request gets the same image id, so a retry is the same message. */
  saveRoomImage(
    db: Db,
    place: RoomPlace & { requestId: string },
    dataUrl: string,
  ): Promise<{ content: string; width: number; height: number }>
  /** An image that only the group's office accounts may load. */
  saveGroupImage(db: Db, place: Owner & { groupId: number }, dataUrl: string): Promise<string>
  /** A voice note or file of a room, checked before. */
  saveRoomFile(
    db: Db,
    place: RoomPlace & { id: string },
    file: { type: string; body: Uint8Array; attachment: Attachment },
  ): Promise<void>
  /** What is stored under this id for the room. */
  roomFile(db: Db, roomId: number, id: string): Promise<Attachment | undefined>
  /** An account's picture as a data URL, for pages without a session; empty when there is none. */
  avatarUrl(db: Db, id: string): Promise<string>
  /** What a message contained that was taken back. */
  readTakenBack(db: Db, roomId: number, id: string): Promise<{ type: string; body: Buffer } | undefined>
  /** Deletes an image, and its file after the commit. */
  remove(tx: Tx, id: string): Promise<void>
  /** `name`: it is a file, to be saved under this name. `open` is undefined when what was stored is lost. */
  find(db: Db, readers: Actor[], id: string): Promise<FoundMedia | undefined>
}

/** `senderId`: the account that saves it, which waits for its own other images. */
type Owner = { topId: number; senderId: number }
type RoomPlace = Owner & { roomId: number }

type FoundMedia = {
  type: string
  name: string | undefined
  open: (range?: ByteRange) => Promise<OpenedMedia | undefined>
}

const MAX_PIXELS = 25_000_000

/** The sizes that images are converted to. `cover` cuts to the box; `inside` keeps the shape and never enlarges. */
const shapes = {
  avatar: { width: 192, height: 192, fit: 'cover' },
  room: { width: PHOTO_WIDTH, height: PHOTO_HEIGHT, fit: 'inside', withoutEnlargement: true },
  background: { width: 1920, height: 1920, fit: 'inside', withoutEnlargement: true },
  poster: { width: 1200, height: 1289, fit: 'cover' },
} as const
type Shape = keyof typeof shapes

sharp.cache(false)
// Decoding shares the processors with everything else.
sharp.concurrency(1)

/**
 * A transaction holds a connection while it converts and stores. These may all wait for a slow S3 server, and points go on.
 */
const MOST_IN_TRANSACTIONS = 4
/** A page without a session does not wait longer for its picture. */
const AVATAR_MS = 2000

/** `mostPerDay`: the bytes that an account may store in rooms in a day; 0: no limit. */
export const makeMedia = (database: Database, store: MediaStore, mostPerDay: number): Media => {
  /**
   * One image at a time is decoded: one of 1 KB can take a second, and would take it from those threads that also read
   * files and check passwords.
   */
  const inTurn = makeTurns()

  let inTransactions = 0
  /** Work during which a transaction holds a connection. @throws Refused server.busy when too many do */
  const holding = async <T>(db: Db, work: () => Promise<T>): Promise<T> => {
    if (!('afterRollback' in db)) return work()
    if (inTransactions >= MOST_IN_TRANSACTIONS) return refuse('server.busy')
    inTransactions++
    try {
      return await work()
    } finally {
      inTransactions--
    }
  }
  const put = async (db: Db | Tx, id: string, body: Uint8Array) => {
    // Without its row nothing would ever find it.
    if ('afterRollback' in db) db.afterRollback(() => void store.remove(mediaKey(id)).catch(() => {}))
    await store.put(mediaKey(id), Buffer.from(body.buffer, body.byteOffset, body.length))
  }

  const save = async (db: Db, place: Owner & { groupId?: number }, dataUrl: string, as: Target) => {
    const id = randomBytes(16).toString('hex')
    const image = await holding(db, async () => {
      const bytes = bytesOf(dataUrl, as.refusal)
      const encoded = await inTurn(place.senderId, () => encode(bytes, as))
      await put(db, id, encoded.body)
      return encoded
    })
    await run(
      db,
      sql`insert into media (id, top_id, group_id, type, width, height)
        values (${id}, ${place.topId}, ${place.groupId ?? null}, ${image.type}, ${image.width}, ${image.height})`,
    )
    return id
  }

  /** @throws Refused message.too_many_files, or session.dead when the sender was frozen meanwhile */
  const saveInRoom = async (db: Db, { id, topId, roomId, senderId }: RoomPlace & { id: string }, file: RoomFile) => {
    await holding(db, () => put(db, id, file.body))
    const attachment = file.attachment ? JSON.stringify(file.attachment) : null
    // Erasing locks the sender too. Stored after it, what the erased person sent would stay for ever.
    const found = await one<{ mayStore: boolean }>(
      db,
      sql`with sender as (select id from accounts where id = ${senderId} and status = 1 for share),
          counted as (${counted(file.body.length, mostPerDay)}),
          kept as (insert into media (id, top_id, room_id, type, width, height, attachment)
            select ${id}, ${topId}, ${roomId}, ${file.type}, ${file.width}, ${file.height}, ${attachment}::jsonb from counted
            on conflict (id) do nothing)
        select exists (select from counted) as "mayStore" from sender`,
    )
    if (found?.mayStore) return
    const kept = await one(db, sql`select id from media where id = ${id}`)
    if (!kept) await store.remove(mediaKey(id))
    return found ? refuse('message.too_many_files') : refuse('session.dead', { reason: 'frozen' })
  }

  const savePublic = (db: Db, owner: Owner, shape: Shape, dataUrl: string) =>
    save(db, owner, dataUrl, { shape, refusal: 'account.image_invalid' })

  return {
    saveAvatar: (db, owner, dataUrl) => savePublic(db, owner, 'avatar', dataUrl),
    savePicture: savePublic,

    async saveRoomImage(db, { requestId, ...place }, dataUrl) {
      const bytes = bytesOf(dataUrl, 'message.not_an_image')
      const id = createHash('sha256').update(`${place.roomId}/${requestId}/`).update(bytes).digest('hex').slice(0, 32)
      const kept = await one<{ width: number; height: number }>(
        db,
        sql`select width, height from media where id = ${id}`,
      )
      if (kept) return { content: `/media/${id}`, ...kept }
      const image = await inTurn(place.senderId, () => encode(bytes, roomImage))
      await saveInRoom(db, { id, ...place }, image)
      return { content: `/media/${id}`, width: image.width, height: image.height }
    },

    saveGroupImage: (db, group, dataUrl) => save(db, group, dataUrl, roomImage),

    async remove(tx, id) {
      await run(
        tx,
        sql`with gone as (delete from media where id = ${id} returning id)
          insert into media_deletions (file) select id from gone on conflict do nothing`,
      )
      // What fails stays noted, and is deleted within an hour.
      tx.onlyAfterCommit(() => void deleteNoted(database, store, [id]).catch(() => {}))
    },

    saveRoomFile: (db, place, file) => saveInRoom(db, place, { ...file, width: 0, height: 0 }),

    async roomFile(db, roomId, id) {
      const found = await one<{ attachment: Attachment }>(
        db,
        sql`select attachment from media where id = ${id} and room_id = ${roomId} and attachment is not null`,
      )
      return found?.attachment
    },

    async avatarUrl(db, id) {
      const found = await one<{ type: string }>(
        db,
        sql`select type from media where id = ${id} and room_id is null and group_id is null and width <= ${shapes.avatar.width}`,
      )
      // Without its file the page shows a letter: a lost picture must not close the sign-up.
      const body = found && (await inTime(store.read(mediaKey(id)), AVATAR_MS).catch(() => undefined))
      return body ? `data:${found.type};base64,${body.toString('base64')}` : ''
    },

    async readTakenBack(db, roomId, id) {
      const found = await one<{ type: string }>(
        db,
        sql`select type from media where id = ${id} and room_id = ${roomId} and taken_back_at is not null`,
      )
      const body = found && (await store.read(mediaKey(id)))
      return body && { type: found.type, body }
    },

    async find(db, readers, id) {
      if (!/^[0-9a-f]{32}$/.test(id) || readers.length === 0) return undefined
      const office = readers.filter((reader) => isOffice(reader.role))
      const found = await one<NamedMedia>(
        db,
        sql`select m.type, m.attachment ->> 'name' as name, p.id as "partnerId", p.username, p.is_sub as "isSub"
          from media m left join rooms r on r.id = m.room_id left join accounts p on p.id = r.partner_id
          where m.id = ${id} and m.taken_back_at is null and case
            when m.group_id is not null then m.group_id = any(${office.map((reader) => reader.groupId)})
            when m.room_id is null then m.top_id = any(${readers.map((reader) => reader.topId)})
            else r.group_id = any(${office.filter(seesRooms).map((reader) => reader.groupId)})
              or r.partner_id = any(${readers.map((reader) => reader.id)}) end`,
      )
      if (!found) return undefined
      const name = found.name === null ? undefined : nameFor(readers, found, found.name)
      return { type: found.type, name, open: (range) => store.open(mediaKey(id), range) }
    },
  }
}

/** Photos of slips are also shown with requests for points. */
const seesRooms = ({ rights }: Actor) => rights.has('chat') || rights.has('requests')

type NamedMedia = { type: string; name: string | null; partnerId: number; username: string; isSub: 0 | 1 }
/** The file's name as every reader may see it: it may be the member's username. */
const nameFor = (readers: Actor[], { partnerId, username, isSub }: NamedMedia, name: string): string =>
  readers.reduce((shown, reader) => shownText(reader, { id: partnerId, username, isSub }, shown), name)

type Encoded = { type: string; body: Uint8Array; width: number; height: number }
type RoomFile = Encoded & { attachment?: Attachment }
type ImageRefusal = 'account.image_invalid' | 'message.not_an_image'
/** What an image becomes, and how it is refused when it is none. */
type Target = { shape: Shape; refusal: ImageRefusal }
const roomImage: Target = { shape: 'room', refusal: 'message.not_an_image' }

const bytesOf = (dataUrl: string, refusal: ImageRefusal): Buffer => {
  const found = /^data:[a-z0-9.+/-]*;base64,([A-Za-z0-9+/]+={0,2})$/i.exec(dataUrl)
  return found?.[1] ? Buffer.from(found[1], 'base64') : refuse(refusal)
}

/** Detects the format by the first bytes: the declared type proves nothing, and sharp would render SVG. */
const detectFormat = (bytes: Buffer): 'jpeg' | 'png' | 'webp' | 'gif' | undefined => {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg'
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'png'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp'
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return 'gif'
  return undefined
}

const encode = async (bytes: Buffer, { shape, refusal }: Target): Promise<Encoded> => {
  const kind = detectFormat(bytes)
  if (!kind) return refuse(refusal)
  try {
    const sized = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).rotate().resize(shapes[shape])
    const photo = kind === 'jpeg' && shape !== 'avatar'
    const out = await (photo ? sized.jpeg({ quality: 85 }) : sized.webp({ quality: 85 })).toBuffer({
      resolveWithObject: true,
    })
    return { type: photo ? 'image/jpeg' : 'image/webp', body: out.data, width: out.info.width, height: out.info.height }
  } catch {
    return refuse(refusal)
  }
}
