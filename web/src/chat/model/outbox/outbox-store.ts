import { t } from '../../../i18n/i18n.ts'
import type { FileStore } from './kept-files.ts'
import { hasFile, type Outgoing } from './outgoing.ts'
import type { FileSource } from './send-file.ts'

export type TabStorage = { read: () => string | undefined; write: (text: string) => void }

/** What the tab's storage keeps of an item: its file is in the store of files. */
type Facts = Omit<Outgoing, 'source'> & { source?: Omit<FileSource, 'blob'> | undefined }
const factsOf = (item: Outgoing): Facts => {
  const { source, ...rest } = item
  if (!hasFile(item)) return rest
  return { ...rest, content: '', source: source && { name: source.name, voice: source.voice } }
}

const parse = (text: string | undefined): Facts[] => {
  try {
    const items: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(items)
      ? (items as Facts[]).filter((item) => item.id && item.code && (item.content || hasFile(item)))
      : []
  } catch {
    return []
  }
}

/** What an outbox keeps for the tab's next page: its unsent messages, and their files if the browser has room. */
export const makeOutboxStore = (storage: TabStorage, files: FileStore | undefined) => {
  /** Items of an earlier page while their files are being read. */
  let awaited: Facts[] = []

  const withFile = async ({ source, ...rest }: Facts): Promise<Outgoing> => {
    if (!hasFile(rest)) return rest
    const file = await files?.read(rest.id).catch(() => undefined)
    if (typeof file === 'string') return { ...rest, content: file }
    if (file && source) return { ...rest, source: { ...source, blob: file } }
    return { ...rest, content: source?.name ?? '', state: 'failed', isLost: true, error: t('message.file_lost') }
  }
  return {
    save: (items: readonly Outgoing[]) => {
      const kept = items.filter((item) => item.state !== 'sent' && (!hasFile(item) || item.isKept))
      storage.write(JSON.stringify([...awaited, ...kept.map(factsOf)]))
    },
    /** Keeps the file of an item. @returns whether a reload of the page finds it again */
    keep: async ({ id, content, source }: Outgoing): Promise<boolean> => {
      try {
        await files?.write(id, source?.blob ?? content)
        return files !== undefined
      } catch {
        return false
      }
    },
    forget: (item: Outgoing) => {
      if (hasFile(item)) files?.remove(item.id)
    },
    /** The unsent messages of an earlier page. One whose file is gone has failed. */
    load: async (): Promise<Outgoing[]> => {
      const facts = parse(storage.read())
      awaited = facts
      const items = await Promise.all(facts.map(withFile))
      if (awaited === facts) awaited = []
      return items
    },
  }
}
