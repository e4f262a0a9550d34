import { expect, test } from 'vitest'
import { makeOutgoing } from './outgoing.ts'

test('[RUN-04] what another service takes, answers with an error or does not answer is counted once each', async () => {
  const counted: string[] = []
  const outgoing = makeOutgoing({ outgoing: (kind, outcome) => void counted.push(`${kind} ${outcome}`) })
  expect(await outgoing('webhook', async () => '204', String)).toBe('204')
  await outgoing('push', async () => '410', String)
  expect(await outgoing('bot', async () => 'Hello!')).toBe('Hello!')
  await expect(outgoing('sms', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(counted).toEqual(['webhook success', 'push failed', 'bot success', 'sms failed'])
})
