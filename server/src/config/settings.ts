import { parseKey } from './parse-key.ts'
import { type TraceSettings, traceSettings } from './trace-settings.ts'
import { type MediaSettings, mediaSettings } from './media-settings.ts'
import { callLimits, signUpsPerHour } from './call-limits.ts'
import { connectionSettings } from './connection-settings.ts'
import { retentionSettings } from './retention-settings.ts'
import type { ConnectionSettings, LimitClass, RetentionSettings, SessionLimits, SmsGateway } from './setting-types.ts'
import {
  contactAddress,
  databaseAddress,
  hostNames,
  oneOf,
  points,
  readEnv,
  redisAddress,
  replicaAddress,
  directory,
  text,
  timeZone,
  webAddress,
  webOrigins,
  wholeNumber,
  workerCount,
  yesOrNo,
} from './env.ts'
import { type BotSettings, botSettings } from './bot-settings.ts'
import { addSettings, refuseMisspelt } from './known-settings.ts'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { StartError } from '../lib/start-error.ts'

/** Everything that environment variables set. `settingsFrom` refuses values it cannot parse, naming the variable. */
export type Settings = {
  port: number
  host: string
  /** Processes that answer HTTP and sockets; 1: one process does everything. */
  workers: number
  dataDir: string
  media: MediaSettings
  /** The bytes that may be sent in files and photos of rooms in a day; 0: no limit. */
  filesPerDay: { ofAccount: number; ofAddress: number; ofShareCode: number }
  databaseUrl: string | undefined
  /** The owner of the tables, which migrates; undefined: the serving role migrates. */
  databaseOwnerUrl: string | undefined
  /** Standbys for history, reports and search. */
  databaseReadUrl: string | undefined
  /** DATABASE_URL leads through PgBouncer in transaction mode. */
  isPooled: boolean
  /** For one statement of a call that reads, and of one that may read very many rows. */
  readSeconds: { usual: number; large: number }
  /** Where our own PostgreSQL archives its WAL, for restoring to any time. */
  walArchive: string | undefined
  /** Redis, over which several copies on one database relay events to each other. */
  redisUrl: string | undefined
  /** How long a stopping copy keeps serving while /readyz answers 503, so that load balancers notice. */
  drainSeconds: number
  /** Undefined: the key in the file below DATA_DIR. */
  installationKey: Buffer | undefined
  /**
   * IANA name. Days of reports and times of histories are in this zone. Without TIME_ZONE it is the one that was chosen
   * in the product: read it when it is needed, because it changes while the server runs (ledger/check/time-zone.ts).
   */
  timeZone: string
  isTimeZoneGiven: boolean
  /** Days are counted in it already. */
  isTimeZoneFixed: boolean
  /** Public: every browser gets it. The envelope carries no authority. */
  wireSecret: string
  apiUrl: string
  envelopeHours: number
  /**
   * The most for one offer in a room, and for what a wallet gives members in a day, in 1/10000 points; undefined: no
   * cap.
   */
  caps: { envelope: bigint | undefined; day: bigint | undefined }
  /** Clients that send only the Bearer header may sign in. */
  allowUnbound: boolean
  /** The number of proxies that set X-Forwarded-For; 0: the header is ignored. */
  trustedProxies: number
  /** Browsers use TLS for the names below the host's too. */
  hstsSubdomains: boolean
  /** Other origins whose pages may open a socket. */
  origins: string[]
  /** Origins of the sites that may show the member's page through /widget.js. */
  widgetOrigins: string[]
  /** The address that browsers use, for links that the command line prints. */
  publicUrl: string | undefined
  /** Whom /.well-known/security.txt names; undefined: there is no such file. */
  securityContact: string | undefined
  sessions: SessionLimits
  retention: RetentionSettings
  /** Calls a second; undefined: no limit, also for sign-ins from one address. Benches call from one address. */
  limits: Record<LimitClass, number> | undefined
  connections: ConnectionSettings
  /** The troubleshooting page is open to all office accounts, not only to admins. */
  debugPage: boolean
  /** Webhooks may go to private addresses and over plain http, for a platform on the operator's own network. */
  allowPrivateWebhooks: boolean
  /** Push services besides those of the known browsers, as suffixes of host names. */
  pushServices: string[]
  sms: SmsGateway | undefined
  /** SMS codes that may be sent in an hour: in all, and for requests from one address. */
  smsPerHour: { all: number; ofAddress: number }
  /** Sign-up attempts allowed in an hour; 0: no limit. */
  signUpsPerHour: { ofAddress: number; ofShareCode: number }
  /** Without a gateway, SMS are written to the log. */
  logSms: boolean
  /** Undefined: the bot answers from templates only. */
  bot: BotSettings | undefined
  /** False: this process does not answer in AI rooms; others may. */
  botAnswers: boolean
  /** This process seals the ledger when no other copy does. */
  sealsLedger: boolean
  logLevel: string
  /** One line in the log for each call. */
  accessLog: boolean
  /** Where Prometheus reads the metrics; undefined: nowhere, and nothing is measured. */
  metrics: { port: number; host: string } | undefined
  /** Where traces go; undefined: nowhere, and nothing is recorded. */
  traces: TraceSettings | undefined
  demo: boolean
}

const installationKey = z
  .string()
  .transform(parseKey)
  .pipe(
    z.instanceof(Buffer, {
      error: 'must be 32 bytes, as 64 hexadecimal digits or as base64 (openssl rand -base64 32).',
    }),
  )
  .optional()

export const settingsFrom = (env: NodeJS.ProcessEnv): Settings => {
  const found = readEnv(env, {
    PORT: wholeNumber(3000, 0, 65_535),
    HOST: text('0.0.0.0'),
    WORKERS: workerCount(availableParallelism()),
    DATA_DIR: directory('data'),
    FILES_PER_DAY_MB: wholeNumber(500, 0, 1_000_000),
    FILES_PER_DAY_MB_OF_ADDRESS: wholeNumber(5000, 0, 1_000_000),
    FILES_PER_DAY_MB_OF_SHARE_CODE: wholeNumber(20_000, 0, 1_000_000),
    DATABASE_URL: databaseAddress(),
    DATABASE_OWNER_URL: databaseAddress(),
    DATABASE_READ_URL: replicaAddress(),
    DATABASE_POOLER: oneOf('none', ['none', 'transaction']),
    WAL_ARCHIVE: z.string().optional(),
    REDIS_URL: redisAddress(),
    DRAIN_SECONDS: wholeNumber(0, 0, 300),
    TALLYROOM_KEY: installationKey,
    TIME_ZONE: timeZone(),
    WIRE_SECRET: text('tallyroom'),
    API_URL: webAddress(),
    ENVELOPE_HOURS: wholeNumber(24, 1, 24 * 30),
    ENVELOPE_CAP: points(),
    DAY_CAP: points(),
    ALLOW_UNBOUND_SESSIONS: yesOrNo(true),
    TRUSTED_PROXIES: wholeNumber(0, 0, 10),
    HSTS_SUBDOMAINS: yesOrNo(false),
    WEB_ORIGINS: webOrigins(),
    WIDGET_ORIGINS: webOrigins(),
    PUBLIC_URL: webAddress(),
    SECURITY_CONTACT: contactAddress(),
    DEBUG_PAGE: yesOrNo(false),
    WEBHOOKS_INSIDE: yesOrNo(false),
    PUSH_SERVICES: hostNames(),
    SMS_PER_HOUR: wholeNumber(300, 0, 1_000_000),
    SMS_PER_HOUR_OF_ADDRESS: wholeNumber(20, 0, 1_000_000),
    READ_SECONDS: wholeNumber(15, 1, 3600),
    LOG_SMS: yesOrNo(true),
    AI_ANSWERS: yesOrNo(true),
    SEAL_LEDGER: yesOrNo(true),
    LOG_LEVEL: oneOf('warn', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    ACCESS_LOG: yesOrNo(false),
    METRICS_PORT: wholeNumber(undefined, 0, 65_535),
    METRICS_HOST: text('127.0.0.1'),
    DEMO: yesOrNo(false),
    CALL_LIMITS: oneOf('on', ['on', 'off']),
  })
  const isLimited = found.CALL_LIMITS === 'on'
  const settings: Settings = {
    port: found.PORT,
    host: found.HOST,
    workers: found.WORKERS,
    dataDir: found.DATA_DIR,
    media: mediaSettings(env),
    filesPerDay: {
      ofAccount: found.FILES_PER_DAY_MB * 1_000_000,
      ofAddress: found.FILES_PER_DAY_MB_OF_ADDRESS * 1_000_000,
      ofShareCode: found.FILES_PER_DAY_MB_OF_SHARE_CODE * 1_000_000,
    },
    databaseUrl: found.DATABASE_URL,
    databaseOwnerUrl: found.DATABASE_OWNER_URL,
    databaseReadUrl: found.DATABASE_READ_URL,
    isPooled: found.DATABASE_POOLER === 'transaction',
    readSeconds: { usual: found.READ_SECONDS, large: 4 * found.READ_SECONDS },
    walArchive: found.WAL_ARCHIVE,
    redisUrl: found.REDIS_URL,
    drainSeconds: found.DRAIN_SECONDS,
    installationKey: found.TALLYROOM_KEY,
    timeZone: found.TIME_ZONE ?? 'UTC',
    isTimeZoneGiven: found.TIME_ZONE !== undefined,
    isTimeZoneFixed: false,
    wireSecret: found.WIRE_SECRET,
    apiUrl: found.API_URL ?? '',
    envelopeHours: found.ENVELOPE_HOURS,
    caps: { envelope: found.ENVELOPE_CAP, day: found.DAY_CAP },
    allowUnbound: found.ALLOW_UNBOUND_SESSIONS,
    trustedProxies: found.TRUSTED_PROXIES,
    hstsSubdomains: found.HSTS_SUBDOMAINS,
    origins: found.WEB_ORIGINS,
    widgetOrigins: found.WIDGET_ORIGINS,
    publicUrl: found.PUBLIC_URL?.replace(/\/$/, ''),
    securityContact: found.SECURITY_CONTACT,
    sessions: sessionLimits(env),
    retention: retentionSettings(env),
    limits: isLimited ? callLimits(env) : undefined,
    connections: connectionSettings(env, isLimited),
    debugPage: found.DEBUG_PAGE,
    allowPrivateWebhooks: found.WEBHOOKS_INSIDE,
    pushServices: found.PUSH_SERVICES,
    sms: smsGateway(env),
    smsPerHour: { all: found.SMS_PER_HOUR, ofAddress: found.SMS_PER_HOUR_OF_ADDRESS },
    signUpsPerHour: signUpsPerHour(env, isLimited),
    logSms: found.LOG_SMS,
    bot: botSettings(env),
    botAnswers: found.AI_ANSWERS,
    sealsLedger: found.SEAL_LEDGER,
    logLevel: found.LOG_LEVEL,
    accessLog: found.ACCESS_LOG,
    metrics: found.METRICS_PORT === undefined ? undefined : { port: found.METRICS_PORT, host: found.METRICS_HOST },
    traces: traceSettings(env),
    demo: found.DEMO,
  }
  if (settings.isPooled && !settings.databaseOwnerUrl)
    throw new StartError(
      'DATABASE_POOLER=transaction needs DATABASE_OWNER_URL, which leads to PostgreSQL past PgBouncer: migrations hold a lock of their session.',
    )
  if (!settings.databaseUrl && (settings.isPooled || settings.databaseReadUrl))
    throw new StartError(
      `${settings.isPooled ? 'DATABASE_POOLER' : 'DATABASE_READ_URL'} needs DATABASE_URL: the embedded database has neither.`,
    )
  if (settings.metrics?.port && settings.metrics.port === settings.port)
    throw new StartError(`METRICS_PORT is "${settings.port}", but must be another port than PORT.`)
  // Only now all names are known.
  refuseMisspelt(env)
  return settings
}

const DAY = 24 * 60

const sessionLimits = (env: NodeJS.ProcessEnv): SessionLimits => {
  const found = readEnv(env, {
    OFFICE_IDLE_MINUTES: wholeNumber(12 * 60, 1, 90 * DAY),
    OFFICE_SESSION_MINUTES: wholeNumber(7 * DAY, 1, 90 * DAY),
    MEMBER_IDLE_MINUTES: wholeNumber(30 * DAY, 1, 365 * DAY),
    MEMBER_SESSION_MINUTES: wholeNumber(90 * DAY, 1, 365 * DAY),
    AGENT_LOGIN_IDLE_MINUTES: wholeNumber(15, 1, DAY),
    AGENT_LOGIN_SESSION_MINUTES: wholeNumber(8 * 60, 1, 7 * DAY),
  })
  return {
    office: { idleMinutes: found.OFFICE_IDLE_MINUTES, minutes: found.OFFICE_SESSION_MINUTES },
    member: { idleMinutes: found.MEMBER_IDLE_MINUTES, minutes: found.MEMBER_SESSION_MINUTES },
    agent: { idleMinutes: found.AGENT_LOGIN_IDLE_MINUTES, minutes: found.AGENT_LOGIN_SESSION_MINUTES },
  }
}

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

const smsShape = {
  SMS_ALLOW_HTTP: yesOrNo(false),
  SMS_HEADERS: httpHeaders,
  SMS_BODY: text('{"to":"{to}","text":"{text}"}'),
  SMS_SECONDS: wholeNumber(10, 1, 60),
}
addSettings(Object.keys(smsShape))

const smsGateway = (env: NodeJS.ProcessEnv): SmsGateway | undefined => {
  const { SMS_URL: url } = readEnv(env, { SMS_URL: webAddress() })
  if (!url) return undefined
  const found = readEnv(env, smsShape)
  if (!url.startsWith('https:') && !found.SMS_ALLOW_HTTP)
    throw new StartError(
      'SMS_URL must begin with https:// (or set SMS_ALLOW_HTTP=1 only on a network that nobody else can read).',
    )
  return { url, headers: found.SMS_HEADERS, body: found.SMS_BODY, seconds: found.SMS_SECONDS }
}
