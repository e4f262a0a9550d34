import { z } from 'zod'
import { StartError } from '../lib/start-error.ts'
import { readEnv, text, webAddress, wholeNumber, yesOrNo } from './env.ts'
import type { SmsGateway } from './setting-types.ts'

/** `undefined` when it is no JSON. The refusal says nothing of the text, which may hold a key. */
const fromJson = (given: string): unknown => {
  try {
    return JSON.parse(given)
  } catch {
    return undefined
  }
}

const httpHeaders = z
  .string()
  .default('{"content-type":"application/json"}')
  .transform(fromJson)
  .pipe(
    z.record(z.string(), z.coerce.string(), {
      error: 'must be a JSON object such as {"authorization":"Bearer …"}.',
    }),
  )

export const smsAddressShape = {
  SMS_URL: webAddress().describe('The gateway that sends codes. Without one they are written to the log.'),
}

export const smsShape = {
  SMS_HEADERS: httpHeaders.meta({
    description: 'The headers of a request to the gateway, as JSON.',
    shownFallback: '`{"content-type":"application/json"}`',
    isSecret: true,
  }),
  SMS_BODY: text('{"to":"{to}","text":"{text}"}').describe(
    'The body of that request. `{to}` and `{text}` in it are replaced.',
  ),
  SMS_SECONDS: wholeNumber(10, 1, 60).describe('How many seconds the server waits for the gateway.'),
  SMS_ALLOW_HTTP: yesOrNo(false).describe('1: the gateway may be reached over http.'),
}

export const smsGateway = (env: NodeJS.ProcessEnv): SmsGateway | undefined => {
  const { SMS_URL: url } = readEnv(env, smsAddressShape)
  if (!url) return undefined
  const found = readEnv(env, smsShape)
  if (!url.startsWith('https:') && !found.SMS_ALLOW_HTTP)
    throw new StartError(
      'SMS_URL must begin with https:// (or set SMS_ALLOW_HTTP=1 only on a network that nobody else can read).',
    )
  return { url, headers: found.SMS_HEADERS, body: found.SMS_BODY, seconds: found.SMS_SECONDS }
}
