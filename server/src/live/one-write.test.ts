import { expect, test } from 'vitest'
import { sendInOneWrite } from './one-write.ts'

test('what is sent to a socket in one tick leaves in one write, and the next tick in another', async () => {
  const done: string[] = []
  const socket = { cork: () => done.push('cork'), uncork: () => done.push('uncork') }
  const connection = { flush: () => void done.push('flush'), transport: { socket: { _socket: socket as never } } }
  sendInOneWrite(connection)
  connection.flush()
  connection.flush()
  expect(done).toEqual([])
  await Promise.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  expect(done).toEqual(['cork', 'flush', 'uncork'])
  connection.flush()
  await new Promise((resolve) => setImmediate(resolve))
  expect(done).toEqual(['cork', 'flush', 'uncork', 'cork', 'flush', 'uncork'])
})

test('a socket without WebSocket is flushed too', async () => {
  let flushed = 0
  const connection = { flush: () => void flushed++, transport: {} }
  sendInOneWrite(connection)
  connection.flush()
  await new Promise((resolve) => setImmediate(resolve))
  expect(flushed).toBe(1)
})
