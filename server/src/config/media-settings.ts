import { z } from 'zod'
import { StartError } from '../lib/start-error.ts'
import { oneOf, readEnv, text, webAddress, wholeNumber, yesOrNo } from './env.ts'

export type S3Settings = {
  /** The server, without the bucket and without a slash at the end. */
  url: string
  bucket: string
  region: string
  accessKey: string
  secretKey: string
  /** Where the name of the bucket is: in the path, or in front of the host. */
  addressing: 'path' | 'host'
  /** Before every key: empty, or with a slash at its end. */
  prefix: string
  /** Until an answer begins; what is sent gets more by its length. */
  seconds: number
}

/** Where images, voice notes and files are stored. */
export type MediaSettings = {
  /** Undefined: below DATA_DIR only. */
  s3: S3Settings | undefined
  /** Where new ones go. What is in the other place is still found there. */
  newGoTo: 's3' | 'directory'
}

const BUCKET = 'is "{value}", but must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens.'
const PREFIX = 'is "{value}", but must be folders such as tallyroom or shops/one: letters, digits, dots, _ and -.'

export const mediaStoreShape = {
  S3_URL: webAddress().describe(
    'The S3 server that [holds images and files](operations/run.md#images-in-s3-compatible-storage): scheme, host and port, without the bucket. Without it they are in `DATA_DIR`.',
  ),
  MEDIA_STORE: z.enum(['s3', 'directory'], 'is "{value}", but must be s3 or directory.').optional().meta({
    description: 'Where new images and files go: `s3`, or `directory`. Without `S3_URL` it is the directory.',
    shownFallback: '`s3`',
  }),
}

export const s3Shape = {
  S3_BUCKET: z
    .string()
    .regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, BUCKET)
    .optional()
    .describe('The bucket, which must exist.'),
  S3_REGION: text('us-east-1').describe('Its region. Other servers than AWS mostly take the default.'),
  S3_ACCESS_KEY: z.string().optional().describe('The key of the user that reads and writes the bucket.'),
  S3_SECRET_KEY: z.string().optional().meta({ description: 'The secret key of that user.', isSecret: true }),
  S3_ADDRESSING: oneOf('path', ['path', 'host']).describe(
    '`host`: the name of the bucket is in front of the host, as in `https://bucket.s3.example.com`.',
  ),
  S3_PREFIX: z
    .string()
    .regex(/^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/, PREFIX)
    .optional()
    .describe('A folder before all keys, when several installations share a bucket.'),
  S3_SECONDS: wholeNumber(6, 1, 60).describe('How many seconds a request may take, with its further tries.'),
  S3_ALLOW_HTTP: yesOrNo(false).describe('1: `S3_URL` may be http on other hosts than this one.'),
}

/** @throws StartError that names the setting, and never the secret key */
export const mediaSettings = (env: NodeJS.ProcessEnv): MediaSettings => {
  const { S3_URL: url, MEDIA_STORE: given } = readEnv(env, mediaStoreShape)
  if (!url) {
    const lonely = ['S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_SECRET_KEY_FILE'].find((name) => env[name])
    if (lonely || given === 's3')
      throw new StartError(
        `S3_URL is missing: ${lonely ? `${lonely} is set` : 'MEDIA_STORE is s3'}. Set it to the address of the S3 server, or unset the other.`,
      )
    return { s3: undefined, newGoTo: 'directory' }
  }
  return { s3: s3Settings(env, url), newGoTo: given ?? 's3' }
}

const s3Settings = (env: NodeJS.ProcessEnv, given: string): S3Settings => {
  const found = readEnv(env, s3Shape)
  const url = new URL(given)
  if (url.username || url.password || url.search || url.hash || url.pathname !== '/')
    throw new StartError(
      'S3_URL must hold only scheme, host and port, such as https://s3.example.com. Bucket, folder and keys have settings of their own.',
    )
  if (url.protocol === 'http:' && !found.S3_ALLOW_HTTP && !isLoopback(url.hostname))
    throw new StartError(
      'S3_URL must begin with https:// (or set S3_ALLOW_HTTP=1 only on a network that nobody else can read).',
    )
  return {
    url: url.origin,
    bucket: needed('S3_BUCKET', found.S3_BUCKET),
    region: found.S3_REGION,
    accessKey: needed('S3_ACCESS_KEY', found.S3_ACCESS_KEY),
    secretKey: needed('S3_SECRET_KEY', found.S3_SECRET_KEY),
    addressing: found.S3_ADDRESSING,
    prefix: found.S3_PREFIX ? `${found.S3_PREFIX.replace(/\/$/, '')}/` : '',
    seconds: found.S3_SECONDS,
  }
}

const isLoopback = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)

const needed = (name: string, value: string | undefined): string => {
  if (value === undefined) throw new StartError(`${name} is missing: S3_URL is set and needs it.`)
  return value
}
