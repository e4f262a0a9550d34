import type { RoomSummary } from '@tallyroom/contract/events'
import type { WordKey } from '@tallyroom/locales'
import { useCallback, useMemo, useState } from 'react'
import { CallError, call, newRequestId, NO_ANSWER } from '../../../api/call.ts'
import { rooms } from '../../../chat/model/chat-session.ts'
import { isMasked } from '../../../domain/masked.ts'
import { notify } from '../../../ui/overlay/message.tsx'
import { t } from '../../../i18n/i18n.ts'
import type { Filter } from '../state/filter.ts'
import { applyOrder } from '../state/use-steady-order.ts'

export type BulkAction = 'hide' | 'show' | 'read' | 'unread'
type BulkTarget = { codes: readonly string[] } | { filter: Filter & { status: 1 | 2 } }

/** The server's limit per call. */
const PART = 200
const TRIES = 4
const doneWords = {
  hide: 'chat.done_hide',
  show: 'chat.done_show',
  read: 'chat.done_read',
  unread: 'chat.done_unread',
} as const
const opposite = { hide: 'show', show: 'hide', read: 'unread', unread: 'read' } as const

/** Retries with the same request id when no answer came, so that each part has its effect once. */
const ask = async (input: object) => {
  const request_id = newRequestId()
  for (let tries = 1; ; tries++) {
    try {
      return await call('desk/bulk', { ...(input as { deed: BulkAction }), request_id })
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== NO_ANSWER || tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries))
    }
  }
}

async function* partsOf(action: BulkAction, target: BulkTarget) {
  if ('codes' in target) {
    for (let at = 0; at < target.codes.length; at += PART)
      yield (await ask({ deed: action, codes: target.codes.slice(at, at + PART) })).codes
    return
  }
  for (let after: number | null = 0; after !== null; ) {
    const part: { codes: string[]; next: number | null } = await ask({ deed: action, filter: target.filter, after })
    yield part.codes
    after = part.next
  }
}

/** One action on many rooms, with progress and undo. */
export const useBulk = () => {
  const [progress, setProgress] = useState<{ n: number; total: number }>()
  const run = async (action: BulkAction, target: BulkTarget, total: number, undoes = false): Promise<void> => {
    setProgress({ n: 0, total })
    const done = notify.begin()
    const changed: string[] = []
    try {
      for await (const codes of partsOf(action, target)) {
        changed.push(...codes)
        setProgress({ n: changed.length, total })
      }
    } catch (error) {
      notify.refused(error instanceof Error ? error.message : String(error))
    }
    setProgress(undefined)
    await rooms.catchUp()
    applyOrder()
    if (changed.length === 0) return
    const back = {
      label: t('action.undo'),
      run: () => void run(opposite[action], { codes: changed }, changed.length, true),
    }
    const word: WordKey = doneWords[action]
    done(t(word, { n: changed.length }), ...(undoes ? [] : [back]))
  }
  return { progress, run }
}

/** The selected rooms, or all that match, including rooms that start to match later. */
export const useSelection = (shown: readonly RoomSummary[]) => {
  const [some, setSome] = useState<ReadonlySet<string>>(new Set())
  const [all, setAll] = useState(false)
  const selected = useMemo(() => (all ? shown : shown.filter(({ code }) => some.has(code))), [all, shown, some])
  const select = useCallback(
    (code: string, on: boolean) => {
      setAll(false)
      setSome((now) => {
        const next = new Set(all ? shown.map((room) => room.code) : now)
        if (on) next.add(code)
        else next.delete(code)
        return next
      })
    },
    [all, shown],
  )
  const clear = () => {
    setAll(false)
    setSome(new Set())
  }
  return {
    selected,
    isAll: all || (shown.length > 0 && selected.length === shown.length),
    isSelected: (code: string) => all || some.has(code),
    select,
    selectAll: (on: boolean) => (on ? setAll(true) : clear()),
    clear,
    /** Sent to the server: the filter itself, if the server's search by name finds the same rooms. */
    target: (filter: Filter & { status: 1 | 2 }): BulkTarget => {
      const sees = !filter.text.trim() || !shown.some((room) => isMasked(room.username))
      return all && sees ? { filter } : { codes: selected.map(({ code }) => code) }
    },
  }
}
