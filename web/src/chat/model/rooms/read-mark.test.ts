import { expect, test } from 'vitest'
import { errors } from '@tallyroom/contract/errors'
import { CallError, NO_ANSWER } from '../../../api/call.ts'
import { makeReadMark } from './read-mark.ts'
import type { Call } from '../../../api/call.ts'

type Sent = { message_id: string; request_id: string }
/** Each call waits until the test answers it, with an error or without one. */
const setUp = () => {
  const calls: (Sent & { answer: (error?: CallError) => Promise<void> })[] = []
  const refused: string[] = []
  const ask = ((_name: string, sent: Sent) =>
    new Promise<void>((resolve, reject) => {
      const answer = async (error?: CallError) => {
        if (error) reject(error)
        else resolve()
        await new Promise(setImmediate)
      }
      calls.push({ ...sent, answer })
    })) as unknown as Call
  const mark = makeReadMark(ask, 'room', ({ message }) => refused.push(message))
  return { mark, calls, refused, ids: () => calls.map(({ message_id }) => message_id) }
}
const lost = new CallError(NO_ANSWER, 'no answer')

test('[ROOM-11] a connection that opens while the mark is on the way does not send it twice', async () => {
  const { mark, calls, refused, ids } = setUp()
  mark.read('a')
  mark.connected()
  mark.connected()
  await calls[0]?.answer(new CallError(errors['message.not_found'], 'That message is not there.'))
  mark.connected()
  expect(ids()).toEqual(['a'])
  expect(refused).toEqual(['That message is not there.'])
})

test('[ROOM-12] a mark without an answer is sent again with the next connection, as the same request', async () => {
  const { mark, calls, ids } = setUp()
  mark.read('a')
  await calls[0]?.answer(lost)
  expect(ids()).toEqual(['a'])
  mark.connected()
  expect(ids()).toEqual(['a', 'a'])
  expect(calls[1]?.request_id).toBe(calls[0]?.request_id)
  await calls[1]?.answer()
  mark.connected()
  expect(ids()).toEqual(['a', 'a'])
})

test('[ROOM-12] a mark that gets lost while a connection opens is sent again at once, and only the last one', async () => {
  const { mark, calls, ids } = setUp()
  mark.read('a')
  mark.connected()
  await calls[0]?.answer(lost)
  expect(ids()).toEqual(['a', 'a'])
  mark.read('b')
  mark.connected()
  await calls[1]?.answer(lost)
  expect(ids()).toEqual(['a', 'a', 'b'])
  await calls[2]?.answer(lost)
  expect(ids()).toEqual(['a', 'a', 'b', 'b'])
})
