import { serverNow } from '../../../lib/clock.ts'

/**
 * Photos, voice messages and files on their way, in IndexedDB: sessionStorage is too small for them. An owner is an
 * account on one page; the key of a file is its owner and the id of its message.
 */
const STORE = 'outgoing'
const MAX_AGE_MS = 24 * 60 * 60_000

type Kept = { file: Blob | string; at: number }

let opened: Promise<IDBDatabase> | undefined
const open = () => {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('files', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE).createIndex('at', 'at')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('IndexedDB'))
  }).catch((error: unknown) => {
    opened = undefined
    throw error
  })
  return opened
}

/** Runs one transaction. A quota that is used up ends it with an error. */
const inStore = async <R>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<R>): Promise<R> => {
  const transaction = (await open()).transaction(STORE, mode)
  const request = work(transaction.objectStore(STORE))
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = () => reject(transaction.error ?? new Error('IndexedDB'))
  })
}
/** What cannot be removed now is removed with the files that are too old. */
const removeFrom = (work: (store: IDBObjectStore) => IDBRequest) => void inStore('readwrite', work).catch(() => {})

export type FileStore = {
  /** Rejects if the browser keeps no files, or has no room for this one. */
  write: (id: string, file: Blob | string) => Promise<void>
  read: (id: string) => Promise<Blob | string | undefined>
  remove: (id: string) => void
}

export const keptFiles = (owner: () => string): FileStore => ({
  write: async (id, file) => {
    const [key, kept]: [string[], Kept] = [[owner(), id], { file, at: serverNow() }]
    await inStore('readwrite', (store) => store.put(kept, key))
  },
  read: async (id) => {
    const key = [owner(), id]
    const kept = await inStore('readonly', (store) => store.get(key) as IDBRequest<Kept | undefined>)
    return kept?.file
  },
  remove: (id) => {
    const key = [owner(), id]
    removeFrom((store) => store.delete(key))
  },
})

/** Removes all files of an owner who signs out. */
export const forgetFiles = (owner: string) =>
  removeFrom((store) => store.delete(IDBKeyRange.bound([owner], [owner, []])))

/** Removes what a closed tab has left behind. The server drops an upload at the same age. */
export const forgetOldFiles = () =>
  removeFrom((store) => {
    const old = store.index('at').openKeyCursor(IDBKeyRange.upperBound(serverNow() - MAX_AGE_MS))
    old.onsuccess = () => {
      if (!old.result) return
      store.delete(old.result.primaryKey)
      old.result.continue()
    }
    return old
  })
