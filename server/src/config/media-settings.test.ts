import { expect, test } from 'vitest'
import { StartError } from '../lib/start-error.ts'
import { settingsFrom } from './settings.ts'

const right = {
  S3_URL: 'https://s3.example.com',
  S3_BUCKET: 'rooms',
  S3_ACCESS_KEY: 'an-access-key',
  S3_SECRET_KEY: 'a-secret-key',
}
const refusalOf = (env: Record<string, string>): string => {
  try {
    settingsFrom(env)
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    return (error as StartError).message
  }
  throw new Error('it was not refused')
}

test('[RUN-14] without S3_URL everything is in the directory; with it new ones go to S3, unless MEDIA_STORE says otherwise', () => {
  expect(settingsFrom({}).media).toEqual({ s3: undefined, newGoTo: 'directory' })
  expect(settingsFrom({ MEDIA_STORE: 'directory' }).media).toEqual({ s3: undefined, newGoTo: 'directory' })
  expect(settingsFrom(right).media).toEqual({
    newGoTo: 's3',
    s3: {
      url: 'https://s3.example.com',
      bucket: 'rooms',
      region: 'us-east-1',
      accessKey: 'an-access-key',
      secretKey: 'a-secret-key',
      addressing: 'path',
      prefix: '',
      seconds: 6,
    },
  })
  expect(settingsFrom({ ...right, MEDIA_STORE: 'directory', S3_PREFIX: 'shops/one/' }).media).toMatchObject({
    newGoTo: 'directory',
    s3: { prefix: 'shops/one/' },
  })
})

test.each([
  [{ S3_BUCKET: '' }, 'S3_BUCKET is missing: S3_URL is set and needs it.'],
  [{ S3_ACCESS_KEY: '' }, 'S3_ACCESS_KEY is missing: S3_URL is set and needs it.'],
  [{ S3_SECRET_KEY: '' }, 'S3_SECRET_KEY is missing: S3_URL is set and needs it.'],
  [{ S3_SECRET_KEY_FILE: '/run/key' }, 'Set S3_SECRET_KEY or S3_SECRET_KEY_FILE, not both.'],
  [{ S3_URL: '' }, 'S3_URL is missing: S3_BUCKET is set. Set it to the address of the S3 server, or unset the other.'],
  [{ S3_URL: 's3.example.com' }, 'S3_URL must look like https://example.com.'],
  [{ S3_URL: 'https://s3.example.com/rooms' }, 'S3_URL must hold only scheme, host and port'],
  [{ S3_URL: 'https://a-secret-key@s3.example.com' }, 'S3_URL must hold only scheme, host and port'],
  [{ S3_URL: 'http://s3.example.com' }, 'S3_URL must begin with https:// (or set S3_ALLOW_HTTP=1 only on'],
  [{ S3_BUCKET: 'My_Rooms' }, 'S3_BUCKET is "My_Rooms", but must be the name of a bucket'],
  [{ S3_PREFIX: '../x' }, 'S3_PREFIX is "../x", but must be folders such as tallyroom or shops/one'],
  [{ S3_ADDRESSING: 'virtual' }, 'S3_ADDRESSING is "virtual", but must be one of path, host.'],
  [{ S3_SECONDS: '0' }, 'S3_SECONDS is "0", but must be a whole number from 1 to 60.'],
  [{ MEDIA_STORE: 'disk' }, 'MEDIA_STORE is "disk", but must be s3 or directory.'],
  [{ S3_BUKET: 'x' }, 'S3_BUKET is not a setting. Did you mean S3_BUCKET?'],
  [{ S3_SECRETKEY: 'a-secret-key' }, 'S3_SECRETKEY is not a setting. Did you mean S3_SECRET_KEY?'],
])('[RUN-14] [RUN-12] %o is refused in one sentence, without the secret', (env, words) => {
  const said = refusalOf({ ...right, ...env })
  expect(said).toContain(words)
  expect(said).not.toMatch(/a-secret-key|\n/)
})

test('[RUN-14] MEDIA_STORE=s3 needs S3_URL; http is taken on loopback and where it is allowed', () => {
  expect(refusalOf({ MEDIA_STORE: 's3' })).toMatch(/^S3_URL is missing: MEDIA_STORE is s3\./)
  expect(settingsFrom({ ...right, S3_URL: 'http://127.0.0.1:9000' }).media.s3?.url).toBe('http://127.0.0.1:9000')
  expect(settingsFrom({ ...right, S3_URL: 'http://minio:9000', S3_ALLOW_HTTP: '1' }).media.s3?.url).toBe(
    'http://minio:9000',
  )
})
