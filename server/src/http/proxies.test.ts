import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTestServer } from '../testing/app.ts'

type Line = { msg: string; from: string; proxies: number; trusted: number }

/** The warnings about proxies after calls with these values of X-Forwarded-For. */
const warned = async (TRUSTED_PROXIES: string, calls: (string | undefined)[]) => {
  const lines: Line[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const server = await startTestServer({ TRUSTED_PROXIES }, log)
  for (const forwarded of calls)
    await server.post('user/view', {}, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded })
  // What a balancer asks comes from itself.
  await fetch(`${server.address}/readyz`)
  return lines.flatMap(({ msg, from, proxies, trusted }) =>
    msg.includes('TRUSTED_PROXIES') ? [[from, proxies, trusted]] : [],
  )
}

test.each([
  ['a call through a proxy that is not counted', '0', [undefined, '9.9.9.9', '9.9.9.9'], [['127.0.0.1', 1, 0]]],
  ['a call past the proxy', '1', ['9.9.9.9', '1.1.1.1, 9.9.9.9', undefined, undefined], [['127.0.0.1', 0, 1]]],
  ['a call through one proxy where two are counted', '2', ['9.9.9.9', '9.9.9.9'], [['127.0.0.1', 1, 2]]],
])('[S29] the log warns once of %s', async (_, trusted, calls, expected) => {
  expect(await warned(trusted, calls)).toEqual(expected)
})
