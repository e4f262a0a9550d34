import type { Message } from '@tallyroom/contract/events'
import { UPLOAD_PART_BYTES } from '@tallyroom/contract/files'
import { expect, test } from 'vitest'
import { type Call, CallError, NO_ANSWER } from '../../../api/call.ts'
import { t } from '../../../i18n/i18n.ts'
import type { FileStore } from './kept-files.ts'
import { makeOutbox } from './outbox.ts'

/** A tab with its storage, and a server that a cut line hides: pages of the tab come and go. */
const setUp = ({ quota = false } = {}) => {
  const line = { isUp: false }
  const kept = new Map<string, Blob | string>()
  const tab: { text: string | undefined } = { text: undefined }
  const calls: [string, Record<string, unknown>][] = []
  let received = 0
  let refused: CallError | undefined
  const files: FileStore = {
    write: async (id, file) => {
      await Promise.resolve()
      if (quota) throw new DOMException('full', 'QuotaExceededError')
      kept.set(id, file)
    },
    read: async (id) => {
      await Promise.resolve()
      return kept.get(id)
    },
    remove: (id) => void kept.delete(id),
  }
  const ask = (async (name: string, input: Record<string, unknown>) => {
    await Promise.resolve()
    if (!line.isUp && name !== 'upload/begin') throw new CallError(NO_ANSWER, 'cut')
    calls.push([name, input])
    if (refused && name !== 'upload/begin') throw refused
    return name === 'upload/begin' ? { upload: 'u1' } : ({ message_id: input.request_id } as Message)
  }) as unknown as Call
  const sendBytes = async (path: string, body: ArrayBuffer) => {
    await Promise.resolve()
    // The line breaks behind the first part.
    if (!line.isUp && received > 0) throw new CallError(NO_ANSWER, 'cut')
    expect(new URLSearchParams(path.split('?')[1]).get('offset')).toBe(String(received))
    received += body.byteLength
    return received
  }
  const page = () =>
    makeOutbox({
      ask,
      sendBytes,
      delivered: () => {},
      storage: { read: () => tab.text, write: (text) => (tab.text = text) },
      files,
      wait: () => new Promise((resolve) => setTimeout(resolve, 1)),
    })
  return { page, line, kept, tab, calls, received: () => received, refuse: (error: CallError) => (refused = error) }
}
const pdf = () => ({ blob: new Blob([new Uint8Array(UPLOAD_PART_BYTES + 100)]), name: 'slip.pdf' })
const photo = { image: { width: 4, height: 3 } }

test('[CONV-12] [ROOM-12] a file whose upload was cut goes on after a reload of the page, and arrives once', async () => {
  const { page, line, kept, tab, calls, received } = setUp()
  const before = page()
  const id = before.add('room', '', { source: pdf() })
  await expect.poll(() => before.of('room')[0]).toMatchObject({ isKept: true, upload: { received: UPLOAD_PART_BYTES } })
  const left = tab.text
  before.stop()
  tab.text = left

  const after = page()
  after.start()
  await expect.poll(() => after.of('room')).toMatchObject([{ id, state: 'sending', source: { name: 'slip.pdf' } }])
  line.isUp = true
  await expect.poll(() => after.of('room')).toMatchObject([{ id, state: 'sent' }])
  // From where it was, under the same ids: the server sees one upload and one message.
  expect(received()).toBe(UPLOAD_PART_BYTES + 100)
  expect(calls.map(([name]) => name)).toEqual(['upload/begin', 'message/sendFile'])
  expect(calls.at(-1)?.[1]).toMatchObject({ upload: 'u1', request_id: id })
  expect([kept.size, tab.text]).toEqual([0, '[]'])
})

test('[ROOM-07] a photo and the text behind it come back in their order; what is thrown away is gone', async () => {
  const { page, kept, tab } = setUp()
  const before = page()
  before.add('room', 'data:image/jpeg;base64,AAAA', photo)
  before.add('room', 'look at this')
  await expect.poll(() => before.of('room')[0]?.isKept).toBe(true)
  const left = tab.text
  // The storage of a tab is small: it has no photo.
  expect(left).not.toContain('AAAA')
  before.stop()
  tab.text = left

  const after = page()
  after.start()
  await expect.poll(() => after.of('room').map(({ type }) => type)).toEqual([2, 1])
  const [first] = after.of('room')
  expect([first?.content, after.previewOf(first?.id ?? '')]).toEqual(Array(2).fill('data:image/jpeg;base64,AAAA'))
  if (first) after.discard(first)
  expect([kept.size, after.of('room').length]).toEqual([0, 1])
  after.stop()
})

test('[CONV-12] a browser without room says so, and the page asks before it is left', async () => {
  const { page, tab } = setUp({ quota: true })
  const outbox = page()
  outbox.add('room', '', { source: pdf() })
  await expect.poll(() => outbox.of('room')).toMatchObject([{ isKept: false, state: 'sending' }])
  expect(outbox.kept()).toBe(1)
  expect(tab.text).toBe('[]')
  outbox.stop()
})

test('[CONV-12] a file that the browser has dropped is a failed message that says so', async () => {
  const { page, kept, tab } = setUp()
  const before = page()
  before.add('room', '', { source: pdf() })
  await expect.poll(() => before.of('room')[0]?.isKept).toBe(true)
  const left = tab.text
  before.stop()
  kept.clear()
  tab.text = left
  const after = page()
  after.start()
  await expect
    .poll(() => after.of('room'))
    .toMatchObject([{ state: 'failed', isLost: true, content: 'slip.pdf', error: t('message.file_lost') }])
})

test.for([
  ['message.file_unknown', true],
  ['message.too_many_files', false],
  ['room.held', false],
] as const)('[CONV-12] a PDF refused with %s is one that no other try can send: %s', async ([refusal, isBadFile]) => {
  const { page, line, refuse } = setUp()
  line.isUp = true
  refuse(new CallError(1, 'refused', {}, refusal))
  const outbox = page()
  outbox.add('room', '', { source: pdf() })
  await expect.poll(() => outbox.of('room')).toMatchObject([{ state: 'failed', error: 'refused', isBadFile }])
  outbox.stop()
})
