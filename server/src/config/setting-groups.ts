import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { backupShape } from './backup-key.ts'
import { botAddressShape, botShape } from './bot-settings.ts'
import { callLimitShape, signUpShape } from './call-limits.ts'
import { connectionShape } from './connection-settings.ts'
import {
  contactAddress,
  databaseAddress,
  directory,
  hostNames,
  oneOf,
  points,
  redisAddress,
  replicaAddress,
  siteAddress,
  text,
  timeZone,
  webAddress,
  webOrigins,
  wholeNumber,
  workerCount,
  yesOrNo,
} from './env.ts'
import { firstAccountShape } from './first-account.ts'
import { mediaStoreShape, s3Shape } from './media-settings.ts'
import { KEY_RULE, parseKey } from './parse-key.ts'
import { retentionShape } from './retention-settings.ts'
import { sessionShape } from './session-settings.ts'
import { smsAddressShape, smsShape } from './sms-settings.ts'
import { traceAddressShape, traceShape } from './trace-settings.ts'

// Every setting with its kind, its fallback and its description. `npm run reference` writes docs/settings.md and
// .env.example from the groups. A description may hold links as docs/settings.md would.

const installationKey = z
  .string()
  .transform(parseKey)
  .pipe(z.instanceof(Buffer, { error: `must be ${KEY_RULE}` }))
  .optional()

const server = {
  PORT: wholeNumber(3000, 0, 65_535).describe('The port of the server. 0 takes a free one.'),
  HOST: text('0.0.0.0').describe('The address that the server listens on; without it on all addresses.'),
  PUBLIC_URL: siteAddress().describe('Where browsers reach the server. Commands print it, and passkeys need it.'),
  SECURITY_CONTACT: contactAddress().describe(
    'Whom `/.well-known/security.txt` names, such as `mailto:security@example.com` or an address of https. Without it there is no such file.',
  ),
  DATA_DIR: directory('data').describe('The directory of the embedded database, the images and the files.'),
  WORKERS: workerCount(availableParallelism()).describe(
    'How many processes use [all cores](operations/copies.md#all-cores-of-one-machine). `auto` means the cores less two.',
  ),
  TIME_ZONE: timeZone().meta({
    description:
      'The [time zone](operations/copies.md#another-time-zone) of days and reports, such as `Asia/Taipei`. Without it an admin chooses one in First steps.',
    shownFallback: '`UTC`',
  }),
  DEMO: yesOrNo(false).describe('1 makes the sample data of `npm run demo` and lets its members answer.'),
}

const secrets = {
  TALLYROOM_KEY: installationKey.meta({
    description:
      'The [installation key](key.md): 32 bytes, hex or base64. Without it the first start makes one and keeps it in `DATA_DIR`.',
    isSecret: true,
  }),
}

const database = {
  DATABASE_URL: databaseAddress().meta({
    description:
      'A PostgreSQL of your own, from 15, instead of the embedded one. It may name [standbys](operations/copies.md#a-database-with-standbys).',
    isSecret: true,
  }),
  DATABASE_OWNER_URL: databaseAddress().meta({
    description: 'The same database as the [role that migrates](operations/run.md#database-roles).',
    isSecret: true,
  }),
  DATABASE_READ_URL: replicaAddress().meta({
    description: '[Standbys to read from](operations/copies.md#reading-from-standbys).',
    isSecret: true,
  }),
  DATABASE_POOLER: oneOf('none', ['none', 'transaction']).describe(
    '`transaction` when `DATABASE_URL` leads through [PgBouncer](operations/copies.md#pgbouncer).',
  ),
  READ_SECONDS: wholeNumber(15, 1, 3600).describe(
    'After so many seconds a [statement that reads](operations/run.md#reads-that-take-long) is ended.',
  ),
  POSTGRES_BIN: z
    .string()
    .optional()
    .describe(
      "The directory of PostgreSQL's own programs, such as `/usr/lib/postgresql/18/bin`, which the embedded [database](operations/database.md) then runs instead of those that are brought.",
    ),
  WAL_ARCHIVE: z
    .string()
    .optional()
    .describe(
      'The directory for the log archive of the embedded database. With it a [backup](operations/backup.md) can be restored to any time since.',
    ),
}

const files = {
  FILES_PER_DAY_MB: wholeNumber(500, 0, 1_000_000).describe(
    'How much one account may send in files and photos in a day. 0 sets no limit.',
  ),
  FILES_PER_DAY_MB_OF_ADDRESS: wholeNumber(5000, 0, 1_000_000).describe(
    'The same for all accounts at one address together. 0 sets no limit.',
  ),
  FILES_PER_DAY_MB_OF_SHARE_CODE: wholeNumber(20_000, 0, 1_000_000).describe(
    'The same for all members of one share code together. 0 sets no limit.',
  ),
}

const copies = {
  REDIS_URL: redisAddress().meta({
    description: 'The Redis over which [several copies](operations/copies.md#several-copies) send each other events.',
    isSecret: true,
  }),
  DRAIN_SECONDS: wholeNumber(0, 0, 300).describe(
    'How many seconds a stopping copy still serves while `/readyz` answers 503, so that a load balancer notices.',
  ),
}

const amounts = {
  ENVELOPE_HOURS: wholeNumber(24, 1, 24 * 30).describe('How many hours an envelope can be opened before it expires.'),
  ENVELOPE_CAP: points().describe('The most points of one offer in a room. Without it there is no cap.'),
  DAY_CAP: points().describe('The most points that one wallet gives to members in a day. Without it there is no cap.'),
  SEAL_LEDGER: yesOrNo(true).describe('0: this copy does not [seal](seal.md) the ledger.'),
}

const pages = {
  ALLOW_UNBOUND_SESSIONS: yesOrNo(true).describe('0: only browsers, whose token needs its cookie, may sign in.'),
  TRUSTED_PROXIES: wholeNumber(0, 0, 10).describe(
    'How many proxies in front of the server set `X-Forwarded-For`. With 0 the header is ignored.',
  ),
  HSTS_SUBDOMAINS: yesOrNo(false).describe(
    '1: browsers use TLS for [all names below](operations/run.md#what-browsers-keep) the host too.',
  ),
  WEB_ORIGINS: webOrigins().describe(
    'Other origins whose pages may open a socket and use passkeys, with commas between them.',
  ),
  WIDGET_ORIGINS: webOrigins().describe(
    'Other sites whose pages may show the conversation with the [widget](widget.md), with commas between them.',
  ),
  API_URL: webAddress().describe(
    'Where browsers find the calls, if not on the origin of the pages. It is sent to them in `/config.json`.',
  ),
  WIRE_SECRET: text('tallyroom').describe(
    'Encrypts the envelopes of calls. It is sent to browsers in `/config.json`, so it is public and grants nothing.',
  ),
  DEBUG_PAGE: yesOrNo(false).describe('1: /RD_Debug is open to the whole office, not only to admins.'),
}

const limits = {
  CALL_LIMITS: oneOf('on', ['on', 'off']).describe('`off` sets no limits on calls, sign-ups and connections.'),
}

const sms = {
  LOG_SMS: yesOrNo(true).describe('0: without a gateway, codes are not written to the log either.'),
  SMS_PER_HOUR: wholeNumber(300, 0, 1_000_000).describe(
    'How many codes are sent in an hour, at most 100 of them to strangers who forgot a password.',
  ),
  SMS_PER_HOUR_OF_ADDRESS: wholeNumber(20, 0, 1_000_000).describe(
    'How many codes one address may request in an hour, at most 10 of them to strangers who forgot a password.',
  ),
}

const outside = {
  PUSH_SERVICES: hostNames().describe(
    'More push services for [notifications](operations/copies.md#notifications-of-new-messages), with commas between them.',
  ),
  WEBHOOKS_INSIDE: yesOrNo(false).describe('1: webhooks may go to private addresses and over http.'),
}

const bot = {
  AI_ANSWERS: yesOrNo(true).describe('0: this process leaves answering to others.'),
}

const watching = {
  LOG_LEVEL: oneOf('warn', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).describe(
    'What the log holds: `fatal`, `error`, `warn`, `info`, `debug`, `trace`, or `silent` for nothing.',
  ),
  LOG_FORMAT: oneOf('text', ['text', 'json']).describe(
    '`json`: what the start says comes as JSON lines too, like the rest of the log. `text` is for people.',
  ),
  ACCESS_LOG: yesOrNo(false).describe(
    '1: the log has a [line for each call](operations/alerts.md#the-log-and-the-id-of-a-call).',
  ),
  METRICS_PORT: wholeNumber(undefined, 0, 65_535).describe(
    'Where Prometheus reads the [metrics](operations/alerts.md#metrics). Without it nothing is measured.',
  ),
  METRICS_HOST: text('127.0.0.1').describe('The address of that port.'),
}

/** `settingsFrom` reads these itself. The other shapes are read beside the rules that they need. */
export const ownShape = {
  ...server,
  ...secrets,
  ...database,
  ...files,
  ...copies,
  ...amounts,
  ...pages,
  ...limits,
  ...sms,
  ...outside,
  ...bot,
  ...watching,
}

/** All settings, as docs/settings.md shows them. */
export const settingGroups: { heading: string; shape: z.ZodRawShape }[] = [
  { heading: 'Server', shape: server },
  { heading: 'Secrets', shape: { ...firstAccountShape, ...secrets } },
  { heading: 'Database', shape: database },
  { heading: 'Backup', shape: backupShape },
  { heading: 'Images and files', shape: { ...files, ...mediaStoreShape, ...s3Shape } },
  { heading: 'Several copies', shape: copies },
  { heading: 'Points', shape: amounts },
  { heading: 'How long data is kept', shape: retentionShape },
  { heading: 'Sign-in and sessions', shape: sessionShape },
  { heading: 'Pages and proxies', shape: pages },
  { heading: 'Limits', shape: { ...limits, ...callLimitShape, ...signUpShape, ...connectionShape } },
  { heading: 'SMS', shape: { ...smsAddressShape, ...smsShape, ...sms } },
  { heading: 'Notifications and webhooks', shape: outside },
  { heading: 'The bot', shape: { ...botAddressShape, ...botShape, ...bot } },
  { heading: 'Log, metrics and traces', shape: { ...watching, ...traceAddressShape, ...traceShape } },
]
