import type { noteCalls } from '@tallyroom/contract/calls/conversation/note'
import { expect, test } from 'vitest'
import type { Handlers } from './handler.ts'

type Notes = Handlers<typeof noteCalls>

test('[CODE-03] a read handler has no transaction, by type', () => {
  const read: Notes['note/list'] = async ({ db }) => {
    // @ts-expect-error Nothing is announced after the commit of a read.
    db.afterCommit(() => {})
    // @ts-expect-error A read begins no transaction either.
    await db.transact(async () => {})
    return { data: [] } as never
  }
  const write: Notes['note/add'] = async ({ db }) => {
    db.afterCommit(() => {})
    return null as never
  }
  expect([read, write].every((handler) => typeof handler === 'function')).toBe(true)
})
