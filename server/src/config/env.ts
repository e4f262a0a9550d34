import { parsePoints } from '@tallyroom/contract/points'
import { z } from 'zod'
import { StartError } from '../lib/start-error.ts'

/**
 * Kinds of environment variables. The message of each goes on after the variable's name; `{value}` in it stands for what
 * the variable holds, and is left out where that may be a secret.
 */

export const text = (fallback = '') => z.string().default(fallback)

export const wholeNumber = (fallback: number, least: number, most: number) => {
  const rule = `is "{value}", but must be a whole number from ${least} to ${most}.`
  return z
    .string()
    .regex(/^\d+$/, rule)
    .transform(Number)
    .pipe(z.number().min(least, rule).max(most, rule))
    .default(fallback)
}

export const points = () => {
  const rule = 'is "{value}", but must be points such as 500 or 12.5, or empty for no cap.'
  return z.string().transform(parsePoints).pipe(z.bigint(rule).positive(rule)).optional()
}

export const yesOrNo = (fallback: boolean) =>
  z
    .stringbool({
      truthy: ['1', 'true', 'yes'],
      falsy: ['0', 'false', 'no'],
      case: 'sensitive',
      error: 'is "{value}", but must be 1 or 0.',
    })
    .default(fallback)

export const oneOf = <const Word extends string>(fallback: NoInfer<Word>, words: readonly Word[]) =>
  z.enum(words, `is "{value}", but must be one of ${words.join(', ')}.`).default(fallback)

const address = (scheme: RegExp, example: string) => {
  const rule = `must look like ${example}.`
  return z
    .string()
    .regex(scheme, rule)
    .refine((given) => URL.canParse(given), rule)
    .optional()
}

export const webAddress = () => address(/^https?:\/\//, 'https://example.com')
export const databaseAddress = () => address(/^postgres(ql)?:\/\//, 'postgresql://user:password@host:5432/name')
export const redisAddress = () => address(/^rediss?:\/\/./, 'redis://host:6379 or rediss://user:password@host:6379')

/** Separated by commas. */
const list = (isOne: (text: string) => boolean, rule: string) =>
  z
    .string()
    .transform((given) => given.split(',').filter(Boolean))
    .pipe(z.array(z.string().refine(isOne, rule)))
    .default([])

/** Only scheme, host and port, because the origins go into a header. */
export const webOrigins = () =>
  list(
    (one) => /^https?:\/\/[\w.:[\]-]+$/.test(one) && URL.canParse(one) && new URL(one).origin === one,
    'must be origins such as https://www.example.com,https://shop.example.com.',
  )

export const hostNames = () =>
  list((one) => /^([a-z\d-]+\.)+[a-z]{2,}$/.test(one), 'must be names such as push.example.com,push.example.org.')

const isTimeZone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const timeZone = () =>
  z.string().refine(isTimeZone, 'is "{value}", but must be an IANA name such as Asia/Taipei.').default('UTC')

/** Reads these variables; an empty one counts as not set. Throws a StartError that says what is wrong with the first. */
export const readEnv = <Shape extends z.ZodRawShape>(env: NodeJS.ProcessEnv, shape: Shape) => {
  const given = Object.fromEntries(Object.keys(shape).map((name) => [name, env[name] || undefined]))
  const { data, error } = z.object(shape).safeParse(given)
  if (data) return data
  const { path = [], message = '' } = error?.issues[0] ?? {}
  const name = String(path[0])
  throw new StartError(`${name} ${message.replace('{value}', () => given[name] ?? '')}`)
}
