import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { settingsFrom } from '../../config/settings.ts'
import { makeSms } from './sms.ts'

/** A gateway that answers with a status, and records what it got. */
const gateway = async (status: number, headers: Record<string, string> = {}) => {
  const got: { type: string | undefined; key: string | undefined; body: string }[] = []
  const read = async (request: IncomingMessage) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { 'content-type': type, 'x-key': key } = request.headers
    got.push({ type, key: typeof key === 'string' ? key : undefined, body: Buffer.concat(parts).toString() })
  }
  const server = createServer((request, answer) => {
    void read(request).then(() => answer.writeHead(status, headers).end('ok'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`, close: () => server.close() }
}
const silent = pino({ level: 'silent' })
const send = (env: Record<string, string>) => (to: string, text: string) =>
  makeSms(settingsFrom({ SMS_ALLOW_HTTP: '1', ...env }), silent).send(to, text)

test('a gateway gets number and text in their places, escaped', async () => {
  const { got, url, close } = await gateway(200)
  await send({ SMS_URL: url, SMS_HEADERS: '{"content-type":"application/json","x-key":"k"}' })('+1', 'a "b"\n{to}')
  await send({
    SMS_URL: url,
    SMS_HEADERS: '{"content-type":"application/x-www-form-urlencoded"}',
    SMS_BODY: 'dst={to}&msg={text}',
  })('+1', 'a&b')
  close()
  expect(got[0]).toMatchObject({ type: 'application/json', key: 'k' })
  expect(JSON.parse(got[0]?.body ?? '')).toEqual({ to: '+1', text: 'a "b"\n{to}' })
  expect(got[1]?.body).toBe('dst=%2B1&msg=a%26b')
})

test.each([500, 302])('an answer %i is a failure', async (status) => {
  const { url, close } = await gateway(status, { location: 'http://127.0.0.1:1/' })
  await expect(send({ SMS_URL: url })('+1', 'x')).rejects.toThrow()
  close()
})

test('without a gateway SMS go to the log as a warning, unless LOG_SMS=0', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  await makeSms(settingsFrom({}), log).send('+1', 'Your code')
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ level: 40, to: '+1', text: 'Your code' })
  await expect(makeSms(settingsFrom({ LOG_SMS: '0' }), log).send('+1', 'x')).rejects.toThrow('SMS_URL')
})

test('settings that would leak codes are refused by name', () => {
  expect(() => settingsFrom({ SMS_URL: 'http://sms.example' })).toThrow('SMS_URL must begin with https://')
  expect(() => settingsFrom({ SMS_URL: 'https://sms.example', SMS_HEADERS: 'x' })).toThrow('SMS_HEADERS')
  expect(() => settingsFrom({ PUBLIC_URL: 'ftp://x' })).toThrow('PUBLIC_URL')
})
