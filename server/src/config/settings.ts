import { serverPath } from '../paths.ts'
import { parseKey } from './parse-key.ts'
import { connectionSettings } from './connection-settings.ts'
import type { ConnectionSettings, LimitClass, SessionLimits, SmsGateway } from './setting-types.ts'
import { hostNames, oneOf, points, timeZone, webAddress, webOrigins, wholeNumber, yesOrNo } from './env.ts'
import { readFileSync } from 'node:fs'
import { StartError } from '../lib/start-error.ts'

/** An OpenAI-compatible endpoint and the limits of a request to it. */
export type BotSettings = {
  /** Without the trailing /chat/completions. */
  url: string
  key: string
  model: string
  timeoutMs: number
  /** The messages of the room that are sent to it, and the most characters of its answer that are used. */
  history: number
  answerLength: number
  prompt: string
}

/** Everything that environment variables set. `settingsFrom` refuses values it cannot parse, naming the variable. */
export type Settings = {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | undefined
  /** The owner of the tables, which migrates; undefined: the serving role migrates. */
  databaseOwnerUrl: string | undefined
  /** Where our own PostgreSQL archives its WAL, for restoring to any time. */
  walArchive: string | undefined
  /** Redis, over which several copies on one database relay events to each other. */
  redisUrl: string | undefined
  /** How long a stopping copy keeps serving while /readyz answers 503, so that load balancers notice. */
  drainSeconds: number
  /** Undefined: the key in the file below DATA_DIR. */
  installationKey: Buffer | undefined
  /** IANA name. Days of reports and times of histories are in this zone. */
  timeZone: string
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
  /** Other origins whose pages may open a socket. */
  origins: string[]
  /** Origins of the sites that may show the member's page through /widget.js. */
  widgetOrigins: string[]
  /** The address that browsers use, for links that the command line prints. */
  publicUrl: string | undefined
  sessions: SessionLimits
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
  logLevel: string
  demo: boolean
}

export const settingsFrom = (env: NodeJS.ProcessEnv): Settings => ({
  port: wholeNumber(env, 'PORT', 3000, 0, 65_535),
  host: env.HOST || '0.0.0.0',
  dataDir: env.DATA_DIR || 'data',
  databaseUrl: databaseUrl(env, 'DATABASE_URL'),
  databaseOwnerUrl: databaseUrl(env, 'DATABASE_OWNER_URL'),
  walArchive: env.WAL_ARCHIVE || undefined,
  redisUrl: redisUrl(env.REDIS_URL),
  drainSeconds: wholeNumber(env, 'DRAIN_SECONDS', 0, 0, 300),
  installationKey: installationKey(env.TALLYROOM_KEY),
  timeZone: timeZone(env.TIME_ZONE || 'UTC'),
  wireSecret: env.WIRE_SECRET || 'tallyroom',
  apiUrl: env.API_URL ?? '',
  envelopeHours: wholeNumber(env, 'ENVELOPE_HOURS', 24, 1, 24 * 30),
  caps: { envelope: points(env, 'ENVELOPE_CAP'), day: points(env, 'DAY_CAP') },
  allowUnbound: yesOrNo(env, 'ALLOW_UNBOUND_SESSIONS', true),
  trustedProxies: wholeNumber(env, 'TRUSTED_PROXIES', 0, 0, 10),
  origins: (env.WEB_ORIGINS ?? '').split(',').filter(Boolean),
  widgetOrigins: webOrigins(env, 'WIDGET_ORIGINS'),
  publicUrl: webAddress(env, 'PUBLIC_URL')?.replace(/\/$/, ''),
  sessions: sessionLimits(env),
  limits: callLimits(env),
  connections: connectionSettings(env, env.CALL_LIMITS !== 'off'),
  debugPage: yesOrNo(env, 'DEBUG_PAGE', false),
  allowPrivateWebhooks: yesOrNo(env, 'WEBHOOKS_INSIDE', false),
  pushServices: hostNames(env, 'PUSH_SERVICES'),
  sms: smsGateway(env),
  smsPerHour: {
    all: wholeNumber(env, 'SMS_PER_HOUR', 300, 0, 1_000_000),
    ofAddress: wholeNumber(env, 'SMS_PER_HOUR_OF_ADDRESS', 20, 0, 1_000_000),
  },
  signUpsPerHour: signUpsPerHour(env),
  logSms: yesOrNo(env, 'LOG_SMS', true),
  bot: botSettings(env),
  botAnswers: yesOrNo(env, 'AI_ANSWERS', true),
  logLevel: oneOf(env, 'LOG_LEVEL', ['warn', 'info', 'fatal', 'error', 'warn', 'debug', 'trace', 'silent']),
  demo: yesOrNo(env, 'DEMO', false),
})

const DAY = 24 * 60

const sessionLimits = (env: NodeJS.ProcessEnv): SessionLimits => ({
  office: {
    idleMinutes: wholeNumber(env, 'OFFICE_IDLE_MINUTES', 12 * 60, 1, 90 * DAY),
    minutes: wholeNumber(env, 'OFFICE_SESSION_MINUTES', 7 * DAY, 1, 90 * DAY),
  },
  member: {
    idleMinutes: wholeNumber(env, 'MEMBER_IDLE_MINUTES', 30 * DAY, 1, 365 * DAY),
    minutes: wholeNumber(env, 'MEMBER_SESSION_MINUTES', 90 * DAY, 1, 365 * DAY),
  },
  agent: {
    idleMinutes: wholeNumber(env, 'AGENT_LOGIN_IDLE_MINUTES', 15, 1, DAY),
    minutes: wholeNumber(env, 'AGENT_LOGIN_SESSION_MINUTES', 8 * 60, 1, 7 * DAY),
  },
})

/** Enough for a person with several tabs, and for an office behind one address. */
const callLimits = (env: NodeJS.ProcessEnv): Settings['limits'] =>
  oneOf(env, 'CALL_LIMITS', ['on', 'off']) === 'off'
    ? undefined
    : {
        read: wholeNumber(env, 'READS_PER_SECOND', 40, 1, 1_000_000),
        write: wholeNumber(env, 'WRITES_PER_SECOND', 20, 1, 1_000_000),
        upload: wholeNumber(env, 'UPLOADS_PER_SECOND', 2, 1, 1_000_000),
        open: wholeNumber(env, 'OPEN_CALLS_PER_SECOND', 5, 1, 1_000_000),
        address: wholeNumber(env, 'CALLS_PER_SECOND_OF_ADDRESS', 400, 1, 1_000_000),
      }

/** Enough for a café, a carrier's shared address and a campaign; too few for probing usernames or flooding a desk. */
const signUpsPerHour = (env: NodeJS.ProcessEnv): Settings['signUpsPerHour'] => {
  const isLimited = env.CALL_LIMITS !== 'off'
  return {
    ofAddress: wholeNumber(env, 'SIGN_UPS_PER_HOUR_OF_ADDRESS', isLimited ? 60 : 0, 0, 1_000_000),
    ofShareCode: wholeNumber(env, 'SIGN_UPS_PER_HOUR_OF_SHARE_CODE', isLimited ? 600 : 0, 0, 1_000_000),
  }
}

const smsGateway = (env: NodeJS.ProcessEnv): SmsGateway | undefined => {
  const url = webAddress(env, 'SMS_URL')
  if (!url) return undefined
  if (!url.startsWith('https:') && !yesOrNo(env, 'SMS_ALLOW_HTTP', false))
    throw new StartError(
      'SMS_URL must begin with https:// (or set SMS_ALLOW_HTTP=1 only on a network that nobody else can read).',
    )
  return {
    url,
    headers: headers(env.SMS_HEADERS || '{"content-type":"application/json"}'),
    body: env.SMS_BODY || '{"to":"{to}","text":"{text}"}',
    seconds: wholeNumber(env, 'SMS_SECONDS', 10, 1, 60),
  }
}

/** Next to migrations/, for the source and for the bundle. */
const PROMPT = serverPath('prompts/bot.md')

const botSettings = (env: NodeJS.ProcessEnv): BotSettings | undefined => {
  const url = webAddress(env, 'AI_URL')
    ?.replace(/\/+$/, '')
    .replace(/\/chat\/completions$/, '')
  if (!url) {
    const stray = ['AI_KEY', 'AI_MODEL'].find((name) => env[name])
    if (stray) throw new StartError(`${stray} is set without AI_URL, such as https://api.example.com/v1.`)
    return undefined
  }
  const { protocol, hostname, username, password } = new URL(url)
  if (username || password) throw new StartError('AI_URL must not hold a password: the key goes into AI_KEY.')
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !isHere && !yesOrNo(env, 'AI_ALLOW_HTTP', false))
    throw new StartError(
      'AI_URL must begin with https:// (or set AI_ALLOW_HTTP=1 only on a network that nobody else can read).',
    )
  if (!env.AI_MODEL) throw new StartError('AI_MODEL is not set: AI_URL needs the name of a model.')
  if (!/^[\x21-\x7e]*$/.test(env.AI_KEY ?? ''))
    throw new StartError('AI_KEY may hold only printable ASCII characters without spaces.')
  return {
    url,
    key: env.AI_KEY ?? '',
    model: env.AI_MODEL,
    timeoutMs: wholeNumber(env, 'AI_TIMEOUT_MS', 20_000, 100, 120_000),
    history: wholeNumber(env, 'AI_HISTORY', 20, 1, 100),
    answerLength: wholeNumber(env, 'AI_ANSWER_LENGTH', 1000, 50, 4000),
    prompt: promptFrom(env.AI_PROMPT_FILE || PROMPT),
  }
}

const promptFrom = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new StartError(`AI_PROMPT_FILE: ${path} cannot be read.`)
  }
}

const headers = (text: string): Record<string, string> => {
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found === 'object' && found !== null) {
      return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]))
    }
  } catch {
    // Thrown below, without the text: it may contain a key.
  }
  throw new StartError('SMS_HEADERS must be a JSON object such as {"authorization":"Bearer …"}.')
}

const installationKey = (text: string | undefined) => {
  if (!text) return undefined
  const key = parseKey(text)
  if (key) return key
  throw new StartError(
    'TALLYROOM_KEY must be 32 bytes, as 64 hexadecimal digits or as base64 (openssl rand -base64 32).',
  )
}

const databaseUrl = (env: NodeJS.ProcessEnv, name: string) => {
  const text = env[name]
  if (!text) return undefined
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return text
  throw new StartError(`${name} must look like postgresql://user:password@host:5432/name.`)
}

const redisUrl = (text: string | undefined) => {
  if (!text) return undefined
  if (/^rediss?:\/\/./.test(text) && URL.canParse(text)) return text
  throw new StartError('REDIS_URL must look like redis://host:6379 or rediss://user:password@host:6379.')
}
