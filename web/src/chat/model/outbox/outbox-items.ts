import { MessageType } from '@tallyroom/contract/codes'
import { makeEmitter } from '../emitter.ts'
import type { makeOutboxStore } from './outbox-store.ts'
import type { Outgoing } from './outgoing.ts'

const none: readonly Outgoing[] = []

/**
 * The messages on their way, by room and in the order in which they were written; `store` keeps them for the next page. A
 * room's code is the topic of its messages, `kept` that of all.
 */
export const makeOutboxItems = (store: ReturnType<typeof makeOutboxStore>) => {
  let all = new Map<string, readonly Outgoing[]>()
  const previews = new Map<string, string>()
  const { emit, subscribe } = makeEmitter()

  const of = (code: string): readonly Outgoing[] => all.get(code) ?? none
  const put = (code: string, items: readonly Outgoing[]) => {
    if (items.length) all.set(code, items)
    else all.delete(code)
    store.save([...all.values()].flat())
    emit(code)
    emit('kept')
  }
  const replace = ({ code, id }: Outgoing, by: (now: Outgoing) => Outgoing) =>
    put(
      code,
      of(code).map((other) => (other.id === id ? by(other) : other)),
    )

  return {
    subscribe,
    of,
    put,
    replace,
    update: (item: Outgoing, to: Partial<Outgoing>) => replace(item, (now) => ({ ...now, ...to })),
    remove: (code: string, ids: ReadonlySet<string>) => {
      const items = of(code)
      const removed = items.filter((item) => ids.has(item.id))
      if (removed.length)
        put(
          code,
          items.filter((item) => !ids.has(item.id)),
        )
      removed.forEach(store.forget)
    },
    /** The item as it is now; undefined when it was discarded or has arrived. */
    now: ({ code, id }: Outgoing) => of(code).find((item) => item.id === id),
    all: () => [...all.values()].flat(),
    codes: () => [...all.keys()],
    previewOf: (id: string) => previews.get(id),
    setPreview: ({ id, type, content, source }: Outgoing) => {
      if (type === MessageType.image) previews.set(id, content)
      if (source?.voice) previews.set(id, URL.createObjectURL(source.blob))
    },
    /** Leaves the storage as it is, for the next page of the same account. */
    forget: () => {
      all = new Map()
    },
    clear: () => {
      const codes = [...all.keys()]
      all = new Map()
      for (const src of previews.values()) if (src.startsWith('blob:')) URL.revokeObjectURL(src)
      previews.clear()
      for (const code of codes) emit(code)
    },
  }
}
export type OutboxItems = ReturnType<typeof makeOutboxItems>
