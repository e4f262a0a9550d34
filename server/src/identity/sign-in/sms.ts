import type { SmsGateway } from '../../config/setting-types.ts'
import type { Settings } from '../../config/settings.ts'
import { type Outgoing, uncounted } from '../../lib/outgoing.ts'
import type { Logger } from 'pino'

/** Sends SMS. @throws when the gateway does not accept one */
export type Sms = { send(to: string, text: string): Promise<void> }

/** Any gateway that takes one HTTP POST for each message. Without one, SMS go to the server's log, for development. */
export const makeSms = (
  { sms, logSms }: Pick<Settings, 'sms' | 'logSms'>,
  log: Logger,
  outgoing: Outgoing = uncounted,
): Sms => {
  if (sms) return { send: (to, text) => outgoing('sms', (continued) => post(sms, { to, text }, continued)) }
  return {
    send: async (to, text) => {
      if (!logSms) throw new Error('No SMS gateway is set: set SMS_URL')
      log.warn({ to, text }, 'SMS (no gateway is set)')
    },
  }
}

const post = async (
  { url, headers, body, seconds }: SmsGateway,
  { to, text }: { to: string; text: string },
  continued: Record<string, string>,
) => {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const escaped = type.includes('urlencoded')
    ? encodeURIComponent
    : (value: string) => JSON.stringify(value).slice(1, -1)
  const filled = body.replace(/\{(to|text)\}/g, (_, name: string) => escaped(name === 'to' ? to : text))
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...continued },
    body: filled,
    // A redirect would send the headers' secrets to another host.
    redirect: 'error',
    signal: AbortSignal.timeout(seconds * 1000),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`The SMS gateway answered with HTTP ${answer.status}`)
}
