import { type TraceSettings, traceSettings } from './trace-settings.ts'
import { type MediaSettings, mediaSettings } from './media-settings.ts'
import { callLimits, signUpsPerHour } from './call-limits.ts'
import { connectionSettings } from './connection-settings.ts'
import { retentionSettings } from './retention-settings.ts'
import { sessionLimits } from './session-settings.ts'
import { smsGateway } from './sms-settings.ts'
import type { ConnectionSettings, LimitClass, RetentionSettings, SessionLimits, SmsGateway } from './setting-types.ts'
import { namesOf, readEnv } from './env.ts'
import { type BotSettings, botSettings } from './bot-settings.ts'
import { refuseMisspelt } from './misspelt.ts'
import { ownShape, settingGroups } from './setting-groups.ts'
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
  /** The time limits of a statement: of a call that reads, and of one that may read very many rows. */
  readSeconds: { usual: number; large: number }
  /** Where our own PostgreSQL archives its WAL, for restoring to any time. */
  walArchive: string | undefined
  /** The directory of the operator's own PostgreSQL, which the embedded database runs. */
  postgresBin: string | undefined
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
  /** The contact that /.well-known/security.txt names; undefined: there is no such file. */
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
  logFormat: 'text' | 'json'
  accessLog: boolean
  /** Where Prometheus reads the metrics; undefined: nowhere, and nothing is measured. */
  metrics: { port: number; host: string } | undefined
  /** Where traces go; undefined: nowhere, and nothing is recorded. */
  traces: TraceSettings | undefined
  demo: boolean
}

export const settingsFrom = (env: NodeJS.ProcessEnv): Settings => {
  const found = readEnv(env, ownShape)
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
    postgresBin: found.POSTGRES_BIN,
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
    logFormat: found.LOG_FORMAT,
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
  refuseMisspelt(
    env,
    settingGroups.flatMap(({ shape }) => namesOf(shape)),
  )
  return settings
}
