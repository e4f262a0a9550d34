import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StartError } from '../lib/start-error.ts'
import { metaOf, readEnv } from './env.ts'
import { settingGroups } from './setting-groups.ts'
import { settingsFrom } from './settings.ts'

/** What a start with this environment says. main.ts prints a StartError as it is; any other error would have a stack. */
const refusalOf = (env: Record<string, string>): string => {
  try {
    settingsFrom(env)
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    return (error as StartError).message
  }
  throw new Error('it was not refused')
}

test.each([
  ['PORT', '99999', 'PORT is "99999", but must be a whole number from 0 to 65535.'],
  ['PORT', 'web', 'PORT is "web", but must be a whole number from 0 to 65535.'],
  ['PORT', '1e3', 'PORT is "1e3", but must be a whole number from 0 to 65535.'],
  ['WORKERS', '0', 'WORKERS is "0", but must be auto or a whole number from 1 to 64.'],
  ['WORKERS', 'all', 'WORKERS is "all", but must be auto or a whole number from 1 to 64.'],
  ['CONNECTIONS', '0', 'CONNECTIONS is "0", but must be a whole number from 1 to 1000000.'],
  ['ENVELOPE_CAP', '1.000', 'ENVELOPE_CAP is "1.000", but must be points such as 500 or 12.5, or empty for no cap.'],
  ['DAY_CAP', '500 600', 'DAY_CAP is "500 600", but must be points such as 500 or 12.5, or empty for no cap.'],
  ['DAY_CAP', '-3', 'DAY_CAP is "-3", but must be points such as 500 or 12.5, or empty for no cap.'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL is "loud", but must be one of'],
  ['LOG_FORMAT', 'yaml', 'LOG_FORMAT is "yaml", but must be one of'],
  ['DEMO', 'maybe', 'DEMO is "maybe", but must be 1 or 0.'],
  ['CALL_LIMITS', 'some', 'CALL_LIMITS is "some", but must be one of on, off.'],
  ['TIME_ZONE', 'Mars/Base', 'TIME_ZONE is "Mars/Base", but must be an IANA name such as Asia/Taipei.'],
  ['DATA_DIR', '/etc/hosts', 'DATA_DIR is "/etc/hosts", but must be a directory: a file is in its place.'],
  ['DATA_DIR', '/etc/hosts/data', 'DATA_DIR is "/etc/hosts/data", but must be a directory: a file is in its place.'],
  ['REQUEST_DAYS', '7', 'REQUEST_DAYS is "7", but must be a whole number from 30 to 36500.'],
  ['MESSAGE_DAYS', '7', 'MESSAGE_DAYS must be 0 (for ever) or at least 31.'],
  ['API_URL', 'api.example', 'API_URL must look like https://example.com.'],
  ['PUBLIC_URL', 'https://rooms.example.com/chat', 'PUBLIC_URL must look like https://example.com.'],
  ['SECURITY_CONTACT', 'me@example.com', 'SECURITY_CONTACT is "me@example.com", but must look like mailto:'],
  ['SECURITY_CONTACT', 'https://a.example Expires: x', 'but must look like mailto:security@example.com or https://'],
  ['WEB_ORIGINS', 'rooms.example.com', 'WEB_ORIGINS must be origins such as https://www.example.com'],
  ['WEB_ORIGINS', 'https://rooms.example.com/', 'WEB_ORIGINS must be origins such as https://www.example.com'],
  ['METRICS_PORT', '3000', 'METRICS_PORT is "3000", but must be another port than PORT.'],
  ['PUSH_SERVICES', 'a.example,x', 'PUSH_SERVICES must be names such as push.example.com,push.example.org.'],
  ['OTEL_TRACES_SAMPLER', 'some', 'OTEL_TRACES_SAMPLER is "some", but must be one of always_on, always_off,'],
  ['OTEL_TRACES_SAMPLER_ARG', '10', 'OTEL_TRACES_SAMPLER_ARG is "10", but must be a number from 0 to 1, such as'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc", but must be one of http/json.'],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', '0', 'OTEL_EXPORTER_OTLP_TIMEOUT is "0", but must be a whole number from 10 to'],
  ['OTEL_TRACES_EXPORTER', 'zipkin', 'OTEL_TRACES_EXPORTER is "zipkin", but must be one of otlp, none.'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'stage', 'OTEL_RESOURCE_ATTRIBUTES must look like name=value,name=value, with other'],
])('%s=%s is refused in one line with the valid values', (name, value, words) => {
  const said = refusalOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', [name]: value })
  expect(said).toContain(words)
  expect(said).not.toContain('\n')
})

test.each([
  [
    'DATABASE_URL',
    'mysql://me:secret@x',
    'DATABASE_URL must look like postgresql://user:password@host:5432/name, with',
  ],
  ['DATABASE_URL', 'postgresql://me:secret@one,,two/x', 'with more hosts as @one:5432,two:5432/name.'],
  ['DATABASE_URL', 'postgresql:///secret?host=one,two', 'DATABASE_URL names several hosts after the name: write them'],
  [
    'DATABASE_OWNER_URL',
    'postgresql://me:secret@one,two/x?target_session_attrs=any',
    'DATABASE_OWNER_URL has a target_session_attrs that is not read-write: Tallyroom writes.',
  ],
  ['REDIS_URL', 'secret', 'REDIS_URL must look like redis://host:6379 or rediss://user:password@host:6379, or with'],
  ['REDIS_URL', 'redis://secret,two', 'or with Sentinel like redis+sentinel://one:26379,two:26379/name.'],
  ['REDIS_URL', 'redis+sentinel://secret:1,two', 'or with Sentinel like redis+sentinel://one:26379,two:26379/name.'],
  ['TALLYROOM_KEY', 'secret', 'TALLYROOM_KEY must be 32 bytes, as 64 hexadecimal digits or as base64'],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'collector:secret',
    'OTEL_EXPORTER_OTLP_ENDPOINT must look like https://example.com.',
  ],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'secret', 'OTEL_EXPORTER_OTLP_HEADERS must look like name=value,name=value, with'],
  ['SMS_HEADERS', '["secret"]', 'SMS_HEADERS must be a JSON object such as {"authorization":"Bearer …"}.'],
])('a refused %s is not repeated, because it may hold a secret', (name, value, words) => {
  const on = { SMS_URL: 'https://sms.example', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
  const said = refusalOf({ ...on, [name]: value })
  expect(said).toContain(words)
  expect(said).not.toMatch(/secret|\n/)
})

test('an empty variable counts as not set', () => {
  const { connections: _, ...empty } = settingsFrom({
    PORT: '',
    DAY_CAP: '',
    WAL_ARCHIVE: '',
    LOG_LEVEL: '',
    API_URL: '',
  })
  const { connections: __, ...none } = settingsFrom({})
  expect(empty).toEqual(none)
  expect(none).toMatchObject({
    port: 3000,
    workers: 1,
    logLevel: 'warn',
    walArchive: undefined,
    caps: { day: undefined },
  })
})

test('[RUN-03] the names, defaults and meanings of the settings for traces are those of OpenTelemetry', () => {
  expect(settingsFrom({ OTEL_TRACES_SAMPLER: 'of another program' }).traces).toBeUndefined()
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318'
  expect(settingsFrom({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' }).traces).toBeUndefined()
  expect(settingsFrom({ OTEL_EXPORTER_OTLP_ENDPOINT }).traces).toEqual({
    url: 'http://collector:4318/v1/traces',
    headers: {},
    timeoutMs: 10_000,
    delayMs: 5000,
    resource: { 'service.name': 'tallyroom' },
    sampler: 'parentbased_always_on',
    ratio: 1,
  })
  expect(
    settingsFrom({
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/take',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x,a=1',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=2',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=rooms, deployment.environment.name=test',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    }).traces,
  ).toMatchObject({
    url: 'https://traces.example/take',
    headers: { authorization: 'Bearer x', a: '2' },
    resource: { 'service.name': 'rooms', 'deployment.environment.name': 'test' },
    sampler: 'traceidratio',
    ratio: 0.25,
  })
})

test.each([
  ['WIDGET_ORIGIN', 'WIDGET_ORIGINS'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['ENVELOPE_CPA', 'ENVELOPE_CAP'],
  ['SMS_HEADER', 'SMS_HEADERS'],
  ['AI_MODELS', 'AI_MODEL'],
  ['CONNECTION', 'CONNECTIONS'],
])('[RUN-12] %s is refused with the nearest right name', (given, meant) => {
  expect(() => settingsFrom({ [given]: 'secret' })).toThrow(
    `${given} is not a setting. Did you mean ${meant}? Rename it, or remove it.`,
  )
})

test('[RUN-12] variables of other programs are none of our business', () => {
  const others = ['PATH', 'HOME', 'HOSTNAME', 'LOGNAME', 'PORTS', 'HTTP_PROXY', 'REDIS_PORT', 'npm_config_host', 'TZ']
  expect(() => settingsFrom(Object.fromEntries(others.map((name) => [name, 'x'])))).not.toThrow()
  expect(() => settingsFrom({ SMS_HEADERS: '', AI_TIMEOUT_MS: '', ADMIN_PASSWORD: 'x' })).not.toThrow()
})

test.each([
  [{ DATABASE_POOLER: 'transaction', DATABASE_URL: 'postgresql://x' }, 'needs DATABASE_OWNER_URL, which leads to'],
  [{ DATABASE_POOLER: 'transaction', DATABASE_OWNER_URL: 'postgresql://x' }, 'DATABASE_POOLER needs DATABASE_URL'],
  [{ DATABASE_POOLER: 'session' }, 'DATABASE_POOLER is "session", but must be one of none, transaction.'],
  [{ DATABASE_READ_URL: 'postgresql://x' }, 'DATABASE_READ_URL needs DATABASE_URL: the embedded database has neither.'],
  [
    { DATABASE_URL: 'postgresql://x', DATABASE_READ_URL: 'postgresql://x?target_session_attrs=standby' },
    'DATABASE_READ_URL has a target_session_attrs: leave it out',
  ],
])('[RUN-08] %o is refused in one sentence', (env, words) => {
  expect(() => settingsFrom(env)).toThrow(words)
})

/** Each setting that holds a secret, a right value and what the program makes of it. */
const secrets: Record<string, [string, unknown]> = {
  ADMIN_PASSWORD: ['correct horse', 'correct horse'],
  TALLYROOM_KEY: ['07'.repeat(32), Buffer.alloc(32, 7)],
  BACKUP_KEY: ['07'.repeat(32), Buffer.alloc(32, 7)],
  DATABASE_URL: ['postgresql://a:b@db/x', 'postgresql://a:b@db/x'],
  DATABASE_OWNER_URL: ['postgresql://a:b@db/x', 'postgresql://a:b@db/x'],
  DATABASE_READ_URL: ['postgresql://a:b@db/x', 'postgresql://a:b@db/x'],
  REDIS_URL: ['redis://a:b@redis', 'redis://a:b@redis'],
  S3_SECRET_KEY: ['a-key', 'a-key'],
  SMS_HEADERS: ['{"authorization":"x"}', { authorization: 'x' }],
  AI_KEY: ['a-key', 'a-key'],
  OTEL_EXPORTER_OTLP_HEADERS: ['a=1', { a: '1' }],
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: ['a=1', { a: '1' }],
}
const shapes = Object.fromEntries(
  settingGroups.flatMap(({ shape }) => Object.entries(shape).filter(([, kind]) => metaOf(kind).isSecret)),
)
const folder = mkdtempSync(join(tmpdir(), 'tallyroom-secrets-'))

test('[RUN-12] every setting that holds a secret can be in a file', () => {
  expect(Object.keys(secrets).sort()).toEqual(Object.keys(shapes).sort())
})

test.each(Object.entries(secrets))(
  '[RUN-12] %s may be in the file that its variable with _FILE names',
  (name, [text, value]) => {
    const read = (env: Record<string, string>) => readEnv(env, { [name]: shapes[name] ?? expect.fail() })[name]
    const file = join(folder, name)
    writeFileSync(file, `${text}\n`)
    const env = { [`${name}_FILE`]: file }
    expect(read(env)).toEqual(value)
    expect(read({ ...env, [name]: '' })).toEqual(value)
    expect(() => read({ ...env, [name]: text })).toThrow(new StartError(`Set ${name} or ${name}_FILE, not both.`))
    const absent = { [`${name}_FILE`]: `${file}x` }
    expect(() => read(absent)).toThrow(new StartError(`${name}_FILE: cannot read ${file}x (ENOENT).`))
    writeFileSync(file, '\n')
    expect(() => read(env)).toThrow(
      new StartError(`The file ${file} (${name}_FILE) is empty, but must hold the value of ${name}.`),
    )
  },
)

test('[RUN-12] the refusal of a secret in a file names the file, and never the secret', () => {
  const file = join(folder, 'wrong')
  writeFileSync(file, 'secret')
  const said = refusalOf({ DATABASE_URL_FILE: file })
  expect(said).toBe(
    `The file ${file} (DATABASE_URL_FILE) must look like postgresql://user:password@host:5432/name, with more hosts as @one:5432,two:5432/name.`,
  )
  expect(refusalOf({ DATABASE_URL_FILES: file })).toContain('Did you mean DATABASE_URL_FILE?')
})
