import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { StartError } from '../lib/start-error.ts'
import { typedPoints } from '../lib/typed-points.ts'
import { asksForAny, asksForPrimary, namesHostsInQuery, parseDatabaseUrl } from './database-url.ts'
import { parseRedisUrl } from './redis-url.ts'

/**
 * Kinds of environment variables. The message of each goes on after the variable's name; `{value}` in it stands for what
 * the variable holds, and is left out where that may be a secret.
 */

export const text = (fallback = '') => z.string().default(fallback)

/** The path itself, or the nearest one above it that is there. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)))
/** It need not be there yet. */
export const directory = (fallback: string) =>
  z
    .string()
    .refine(
      (given) => statSync(nearest(resolve(given))).isDirectory(),
      'is "{value}", but must be a directory: a file is in its place.',
    )
    .default(fallback)

export const wholeNumber = <Fallback extends number | undefined>(fallback: Fallback, least: number, most: number) => {
  const rule = `is "{value}", but must be a whole number from ${least} to ${most}.`
  return z
    .string()
    .regex(/^\d+$/, rule)
    .transform(Number)
    .pipe(z.number().min(least, rule).max(most, rule))
    .optional()
    .transform((given): number | Fallback => given ?? fallback)
}

const MAX_WORKERS = 64
/** `auto`: one for each core, less one for the writer and one for the database; up to 3 cores one process does it all. */
export const workerCount = (cores: number) => {
  const rule = `is "{value}", but must be auto or a whole number from 1 to ${MAX_WORKERS}.`
  return z
    .string()
    .regex(/^(auto|\d+)$/, rule)
    .transform((given) => (given === 'auto' ? Math.min(Math.max(1, cores - 2), MAX_WORKERS) : Number(given)))
    .pipe(z.number().min(1, rule).max(MAX_WORKERS, rule))
    .default(1)
}

export const points = () => {
  const rule = 'is "{value}", but must be points such as 500 or 12.5, or empty for no cap.'
  return z.string().transform(typedPoints).pipe(z.bigint(rule).positive(rule)).optional()
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
/** Without a path: pages are at the top of their host. */
export const siteAddress = () => address(/^https?:\/\/[^/?#]+\/?$/, 'https://example.com')
/** An address of e-mail or of a page, as RFC 9116 writes it. */
export const contactAddress = () =>
  z
    .string()
    .regex(
      /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]+\S*)$/,
      'is "{value}", but must look like mailto:security@example.com or https://example.com/security.',
    )
    .optional()

/** The rules name no value, which holds a password. */
const serverAddress = (asks: (given: string) => boolean, rule: string) =>
  z
    .string()
    .refine((given) => parseDatabaseUrl(given) !== undefined, {
      error: 'must look like postgresql://user:password@host:5432/name, with more hosts as @one:5432,two:5432/name.',
      abort: true,
    })
    .refine((given) => !namesHostsInQuery(given), {
      error: 'names several hosts after the name: write them before it, as @one:5432,two:5432/name.',
      abort: true,
    })
    .refine(asks, rule)
    .optional()

/** The address of one server, or of several of which one takes writes. */
export const databaseAddress = () =>
  serverAddress(asksForPrimary, 'has a target_session_attrs that is not read-write: Tallyroom writes.')
/** The address of one or several servers that are only read. */
export const replicaAddress = () =>
  serverAddress(asksForAny, 'has a target_session_attrs: leave it out, each server is read from when it is up to date.')
export const redisAddress = () =>
  z
    .string()
    .refine(
      (given) => parseRedisUrl(given) !== undefined,
      'must look like redis://host:6379 or rediss://user:password@host:6379, or with Sentinel like redis+sentinel://one:26379,two:26379/name.',
    )
    .optional()

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

export const isTimeZone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const timeZone = () =>
  z.string().refine(isTimeZone, 'is "{value}", but must be an IANA name such as Asia/Taipei.').optional()

declare module 'zod' {
  interface GlobalMeta {
    /** The reference shows this instead of a fallback that depends on something. */
    shownFallback?: string
    /** The variable's name with `_FILE` after it may name a file that holds the value. */
    isSecret?: boolean
  }
}

export const metaOf = (kind: z.core.$ZodType): z.core.GlobalMeta => z.globalRegistry.get(kind) ?? {}

/** The variables that these settings are read from. */
export const namesOf = (shape: z.ZodRawShape): string[] =>
  Object.entries(shape).flatMap(([name, kind]) => (metaOf(kind).isSecret ? [name, `${name}_FILE`] : [name]))

/** The content of the file that NAME_FILE names, as a container gets its secrets; undefined when it is not set. */
const secretIn = (env: NodeJS.ProcessEnv, name: string): string | undefined => {
  const file = env[`${name}_FILE`]
  if (!file) return undefined
  if (env[name]) throw new StartError(`Set ${name} or ${name}_FILE, not both.`)
  try {
    const content = readFileSync(file, 'utf8').trim()
    if (content) return content
  } catch (error) {
    throw new StartError(`${name}_FILE: cannot read ${file} (${(error as NodeJS.ErrnoException).code}).`)
  }
  throw new StartError(`The file ${file} (${name}_FILE) is empty, but must hold the value of ${name}.`)
}

/** Reads these variables; an empty one counts as not set. Throws a StartError that says what is wrong with the first. */
export const readEnv = <Shape extends z.ZodRawShape>(env: NodeJS.ProcessEnv, shape: Shape) => {
  const fromFiles = Object.fromEntries(
    Object.entries(shape).flatMap(([name, kind]) => (metaOf(kind).isSecret ? [[name, secretIn(env, name)]] : [])),
  )
  const given = Object.fromEntries(
    Object.keys(shape).map((name) => [name, fromFiles[name] ?? (env[name] || undefined)]),
  )
  const { data, error } = z.object(shape).safeParse(given)
  if (data) return data
  const { path = [], message = '' } = error?.issues[0] ?? {}
  const name = String(path[0])
  const subject = fromFiles[name] ? `The file ${env[`${name}_FILE`]} (${name}_FILE)` : name
  throw new StartError(`${subject} ${message.replace('{value}', () => given[name] ?? '')}`)
}
