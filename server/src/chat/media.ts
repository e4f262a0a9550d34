import { isOffice } from '@tallyroom/contract/codes'
import { createHash, randomBytes } from 'node:crypto'
import type { Actor } from '../identity/actor.ts'
import { shownText } from '../identity/masking.ts'
import { deleteNoted } from '../data/media/deletions.ts'
import { mediaKey } from '../data/media/keys.ts'
import type { ByteRange, MediaStore, OpenedMedia } from '../data/media/store.ts'
import { type Database, type Db, type LeftJoined, one, run, type Sql, sql, type Tx } from '../data/sql.ts'
import { limitOf, withTimeout } from '../lib/concurrency.ts'
import { refuse } from '../lib/refusal.ts'
import { type ImageShape, shapes } from './files/image-shapes.ts'
import type { Image, ImageTarget, Inspector } from './files/inspect.ts'
import type { DiskWatch } from '../data/disk.ts'
import { budgetsOf, type FileSender, type FilesPerDay, takeStorage } from './files/quota.ts'
import type { Attachment } from './room-row.ts'
import { is } from '../domain/is.ts'

/**
 * Images, voice notes and files. Their format is detected from the content. Images and voice notes are written again, which
 * drops metadata. All are stored under a random id (data/media), and served only to accounts that may see them.
 */
export type Media = {
  saveAvatar(db: Db, owner: Owner, dataUrl: string): Promise<string>
  /** A large image that all accounts of the top account may load, like an avatar. */
  savePicture(db: Db, owner: Owner, shape: 'background' | 'poster' | 'code', dataUrl: string): Promise<string>
  /** The same request gets the same image id, so a retry is the same message. */
  saveRoomImage(
    db: Db,
    owner: RoomOwner & FileSender & { requestId: string },
    dataUrl: string,
  ): Promise<{ content: string; width: number; height: number }>
  /** An image that only the group's office accounts may load. */
  saveGroupImage(db: Db, owner: Owner & { groupId: number }, dataUrl: string): Promise<string>
  /** A voice note or file of a room, checked before. Its bytes were counted when it was begun (files/uploads.ts). */
  saveRoomFile(
    db: Db,
    owner: RoomOwner & { id: string },
    file: { type: string; body: Uint8Array; attachment: Attachment },
  ): Promise<void>
  /** Finds the file that is stored under this id for the room. */
  roomFile(db: Db, roomId: number, id: string): Promise<Attachment | undefined>
  /** An account's picture as a data URL, for pages without a session; empty when there is none. */
  avatarUrl(db: Db, id: string): Promise<string>
  /** Reads the file of a message that was taken back. */
  readTakenBack(db: Db, roomId: number, id: string): Promise<{ type: string; body: Buffer } | undefined>
  /** Finds an image or file of a room for who has its sealed address (member-api/sealed-media.ts). */
  ofRoom(db: Db, id: string): Promise<FoundMedia | undefined>
  /** Deletes an image, and its file after the commit. */
  remove(tx: Tx, id: string): Promise<void>
  /** `name`: it is a file, to be saved under this name. `open` is undefined when what was stored is lost. */
  find(db: Db, readers: Actor[], id: string): Promise<FoundMedia | undefined>
}

/** `senderId`: the account that saves it, which waits for its own other images. */
type Owner = { topId: number; senderId: number }
type RoomOwner = Owner & { roomId: number }

type FoundMedia = {
  type: string
  name: string | undefined
  open: (range?: ByteRange) => Promise<OpenedMedia | undefined>
}

/**
 * A transaction holds a connection while it converts and stores. These may all wait for a slow S3 server, and points go on.
 */
const MAX_IN_TRANSACTIONS = 4
/** A page without a session does not wait longer for its picture. */
const AVATAR_MS = 2000

type Parts = {
  store: MediaStore
  inspector: Pick<Inspector, 'image'>
  disk: Pick<DiskWatch, 'isScarce'>
  filesPerDay: FilesPerDay
}
export const makeMedia = (database: Database, { store, inspector, disk, filesPerDay }: Parts): Media => {
  const limitTransactions = limitOf({ concurrency: MAX_IN_TRANSACTIONS, maxWaiting: 0 })
  /** Runs work during which a transaction holds a connection. @throws Refused server.busy when too many do */
  const countInTransaction = <T>(db: Db, work: () => Promise<T>): Promise<T> =>
    'afterRollback' in db ? limitTransactions(work) : work()
  /** @throws Refused server.full while points still find space */
  const put = async (db: Db | Tx, id: string, body: Uint8Array) => {
    if (disk.isScarce()) return refuse('server.full')
    // Without its row nothing would ever find it.
    if ('afterRollback' in db) db.afterRollback(() => void store.remove(mediaKey(id)).catch(() => {}))
    await store.put(mediaKey(id), Buffer.from(body.buffer, body.byteOffset, body.length))
  }

  const save = async (db: Db, owner: Owner & { groupId?: number }, dataUrl: string, as: ImageTarget) => {
    const id = randomBytes(16).toString('hex')
    const image = await countInTransaction(db, async () => {
      const encoded = await inspector.image(bytesOf(dataUrl, as), owner.senderId, as)
      await put(db, id, encoded.body)
      return encoded
    })
    await run(
      db,
      sql`insert into media (id, top_id, group_id, type, width, height)
        values (${id}, ${owner.topId}, ${owner.groupId ?? null}, ${image.type}, ${image.width}, ${image.height})`,
    )
    return id
  }

  /** @throws Refused message.too_many_files, or session.dead when the sender was frozen meanwhile */
  const saveInRoom = async (
    db: Db,
    { id, topId, roomId, senderId, count }: RoomOwner & { id: string; count?: Sql },
    file: RoomFile,
  ) => {
    await countInTransaction(db, () => put(db, id, file.body))
    const attachment = file.attachment ? JSON.stringify(file.attachment) : null
    // Erasing locks the sender too. Stored after it, what the erased person sent would stay for ever.
    const found = await one<{ mayStore: boolean }>(
      db,
      sql`with sender as (select id from accounts where id = ${senderId} and status = ${is.active} for share),
          counted as materialized (select from sender where ${count ?? sql`true`}),
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

  const savePublic = (db: Db, owner: Owner, shape: ImageShape, dataUrl: string) =>
    save(db, owner, dataUrl, { shape, unknown: 'account.image_invalid' })

  return {
    saveAvatar: (db, owner, dataUrl) => savePublic(db, owner, 'avatar', dataUrl),
    savePicture: savePublic,

    async saveRoomImage(db, { requestId, actor, network, ...owner }, dataUrl) {
      const bytes = bytesOf(dataUrl, roomImage)
      const id = createHash('sha256').update(`${owner.roomId}/${requestId}/`).update(bytes).digest('hex').slice(0, 32)
      const kept = await one<{ width: number; height: number }>(
        db,
        sql`select width, height from media where id = ${id}`,
      )
      if (kept) return { content: `/media/${id}`, ...kept }
      const image = await inspector.image(bytes, owner.senderId, roomImage)
      const count = takeStorage(budgetsOf({ actor, network }, filesPerDay), image.body.length)
      await saveInRoom(db, { id, ...owner, count }, image)
      return { content: `/media/${id}`, width: image.width, height: image.height }
    },

    saveGroupImage: (db, group, dataUrl) => save(db, group, dataUrl, roomImage),

    async remove(tx, id) {
      await run(
        tx,
        sql`with gone as (delete from media where id = ${id} returning id)
          insert into media_deletions (file) select id from gone on conflict do nothing`,
      )
      // A deletion that fails stays noted, and is repeated within an hour.
      tx.onlyAfterCommit(() => void deleteNoted(database, store, [id]).catch(() => {}))
    },

    saveRoomFile: (db, owner, file) => saveInRoom(db, owner, { ...file, width: 0, height: 0 }),

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
      const body = found && (await withTimeout(store.read(mediaKey(id)), AVATAR_MS).catch(() => undefined))
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

    ofRoom: (db, id) => findOfRoom(store, db, id),
    find: (db, readers, id) => findMedia(store, db, readers, id),
  }
}

const findOfRoom = async (store: MediaStore, db: Db, id: string): Promise<FoundMedia | undefined> => {
  const found = await one<{ type: string; name: string | null }>(
    db,
    sql`select type, attachment ->> 'name' as name from media where id = ${id} and room_id is not null and taken_back_at is null`,
  )
  return found && { ...found, name: found.name ?? undefined, open: (range) => store.open(mediaKey(id), range) }
}

const findMedia = async (store: MediaStore, db: Db, readers: Actor[], id: string): Promise<FoundMedia | undefined> => {
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
  // Only files of a room have a name.
  const name = found.name === null || found.partnerId === null ? undefined : nameFor(readers, found, found.name)
  return { type: found.type, name, open: (range) => store.open(mediaKey(id), range) }
}

/** Photos of slips are also shown with requests for points. */
const seesRooms = ({ rights }: Actor) => rights.has('chat') || rights.has('requests')

type Partner = { partnerId: number; username: string; isSub: 0 | 1 }
type NamedMedia = { type: string; name: string | null } & LeftJoined<Partner>
/** The file's name as every reader may see it: it may be the member's username. */
const nameFor = (readers: Actor[], { partnerId, username, isSub }: Partner, name: string): string =>
  readers.reduce((shown, reader) => shownText(reader, { id: partnerId, username, isSub }, shown), name)

type RoomFile = Image & { attachment?: Attachment }
const roomImage: ImageTarget = { shape: 'room', unknown: 'message.not_an_image' }

const bytesOf = (dataUrl: string, { unknown }: ImageTarget): Buffer => {
  const found = /^data:[a-z0-9.+/-]*;base64,([A-Za-z0-9+/]+={0,2})$/i.exec(dataUrl)
  return found?.[1] ? Buffer.from(found[1], 'base64') : refuse(unknown)
}
