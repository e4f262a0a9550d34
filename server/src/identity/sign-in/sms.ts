import type { SmsGateway } from '../../config/setting-types.ts'
import type { Settings } from '../../config/settings.ts'
import type { Logger } from 'pino'

/** How SMS leave the house. @throws when the gateway does not take it */
export type Sms = { send(to: string, text: string): Promise<void> }

/** Any gateway that takes one HTTP POST for one message. Without one the server's log is where they go, while developing. */
export const makeSms = ({ sms, logSms }: Pick<Settings, 'sms' | 'logSms'>, log: Logger): Sms => {
  if (sms) return { send: (to, text) => post(sms, to, text) }
  return {
    send: async (to, text) => {
      if (!logSms) throw new Error('no SMS gateway is set (SMS_URL)')
      log.warn({ to, text }, 'SMS (no gateway is set)')
    },
  }
}

const post = async ({ url, headers, body, seconds }: SmsGateway, to: string, text: string) => {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const escaped = type.includes('urlencoded')
    ? encodeURIComponent
    : (value: string) => JSON.stringify(value).slice(1, -1)
  const filled = body.replace(/\{(to|text)\}/g, (_, name: string) => escaped(name === 'to' ? to : text))
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body: filled,
    // A gateway that sends us elsewhere would get the headers' secrets sent there too.
    redirect: 'error',
    signal: AbortSignal.timeout(seconds * 1000),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the SMS gateway answered ${answer.status}`)
}
