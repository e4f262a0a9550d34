import type { Input } from '@tallyroom/contract'
import type { WordKey } from '@tallyroom/locales'
import { useState } from 'react'
import { CallError, call, newRequestId, NO_ANSWER } from '../../../api/call.ts'
import { rooms } from '../../../chat/model/chat-session.ts'
import { notify } from '../../../ui/overlay/message.tsx'
import { t } from '../../../i18n/i18n.ts'
import type { Filter } from '../state/filter.ts'
import { applyOrder } from '../state/use-steady-order.ts'

type BulkInput = Input<'desk/bulk'>
export type BulkAction = BulkInput['deed']
/** The colleague who gets the rooms of an `assign`. */
export type Assignee = { id: number; name: string }
export type BulkTarget = { codes: readonly string[] } | { filter: Filter & { status: 1 | 2 } }

/** The server's limit per call. */
const PART = 200
const TRIES = 4
const doneWords = {
  hide: 'chat.done_hide',
  show: 'chat.done_show',
  read: 'chat.done_read',
  unread: 'chat.done_unread',
  settle: 'chat.done_settle',
  assign: 'chat.done_assign',
} as const
/** What undoes an action. "Done" and an assignment are lines in each conversation. */
const opposite: Partial<Record<BulkAction, BulkAction>> = { hide: 'show', show: 'hide', read: 'unread', unread: 'read' }

/** Retries with the same request id when no answer came, so that each part has its effect once. */
const ask = async (input: BulkInput) => {
  const request_id = newRequestId()
  for (let tries = 1; ; tries++) {
    try {
      return await call('desk/bulk', { ...input, request_id })
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== NO_ANSWER || tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries))
    }
  }
}

async function* partsOf(action: BulkAction, target: BulkTarget, assignee: Assignee | undefined) {
  const begun = { deed: action, ...(assignee ? { to: assignee.id } : {}) }
  if ('codes' in target) {
    for (let at = 0; at < target.codes.length; at += PART)
      yield (await ask({ ...begun, codes: target.codes.slice(at, at + PART) })).codes
    return
  }
  for (let after: number | null = 0; after !== null; ) {
    const part: { codes: string[]; next: number | null } = await ask({ ...begun, filter: target.filter, after })
    yield part.codes
    after = part.next
  }
}

/** One action on many rooms, with progress and undo. */
export const useBulk = () => {
  const [progress, setProgress] = useState<{ n: number; total: number }>()
  const run = async (
    action: BulkAction,
    target: BulkTarget,
    { total, assignee, undoes = false }: { total: number; assignee?: Assignee | undefined; undoes?: boolean },
  ): Promise<void> => {
    setProgress({ n: 0, total })
    const done = notify.begin()
    const changed: string[] = []
    try {
      for await (const codes of partsOf(action, target, assignee)) {
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
    const undo = opposite[action]
    const back = undo && {
      label: t('action.undo'),
      run: () => void run(undo, { codes: changed }, { total: changed.length, undoes: true }),
    }
    const word: WordKey = doneWords[action]
    done(t(word, { n: changed.length, name: assignee?.name ?? '' }), ...(undoes || !back ? [] : [back]))
  }
  return { progress, run }
}
