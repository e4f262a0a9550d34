import { StartError } from './start-error.ts'

/** Everything that the environment sets. `settingsFrom` refuses what it does not understand, by name. */
export type Settings = {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | undefined
  /** IANA name; days of reports and times of history are counted in it. */
  timeZone: string
  /** Known to every browser: the envelope carries no authority. */
  wireSecret: string
  apiUrl: string
  envelopeHours: number
  /** Clients that know only the Bearer header may sign in. */
  allowUnbound: boolean
  /** How many proxies stand in front and set X-Forwarded-For; 0: nobody's word is taken. */
  trustedProxies: number
  /** Other origins whose pages may open a socket. */
  origins: string[]
  logLevel: string
  demo: boolean
}

export const settingsFrom = (env: NodeJS.ProcessEnv): Settings => ({
  port: wholeNumber(env, 'PORT', 3000, 0, 65_535),
  host: env.HOST || '0.0.0.0',
  dataDir: env.DATA_DIR || 'data',
  databaseUrl: databaseUrl(env.DATABASE_URL),
  timeZone: timeZone(env.TIME_ZONE || 'UTC'),
  wireSecret: env.WIRE_SECRET || 'tallyroom',
  apiUrl: env.API_URL ?? '',
  envelopeHours: wholeNumber(env, 'ENVELOPE_HOURS', 24, 1, 24 * 30),
  allowUnbound: yesOrNo(env, 'ALLOW_UNBOUND_SESSIONS', true),
  trustedProxies: wholeNumber(env, 'TRUSTED_PROXIES', 0, 0, 10),
  origins: (env.WEB_ORIGINS ?? '').split(',').filter(Boolean),
  logLevel: oneOf(env, 'LOG_LEVEL', ['warn', 'info', 'fatal', 'error', 'warn', 'debug', 'trace', 'silent']),
  demo: yesOrNo(env, 'DEMO', false),
})

const wholeNumber = (env: NodeJS.ProcessEnv, name: string, usual: number, least: number, most: number) => {
  const text = env[name]
  if (text === undefined || text === '') return usual
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new StartError(`${name} is "${text}", but must be a whole number from ${least} to ${most}.`)
}

const yesOrNo = (env: NodeJS.ProcessEnv, name: string, usual: boolean) => {
  const text = env[name]
  if (text === undefined || text === '') return usual
  if (['1', 'true', 'yes'].includes(text)) return true
  if (['0', 'false', 'no'].includes(text)) return false
  throw new StartError(`${name} is "${text}", but must be 1 or 0.`)
}

const oneOf = (env: NodeJS.ProcessEnv, name: string, words: [string, ...string[]]) => {
  const text = env[name] || words[0]
  if (words.includes(text)) return text
  throw new StartError(`${name} is "${text}", but must be one of ${words.join(', ')}.`)
}

const timeZone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name
  } catch {
    throw new StartError(`TIME_ZONE is "${name}", but must be an IANA name such as Asia/Taipei.`)
  }
}

const databaseUrl = (text: string | undefined) => {
  if (!text) return undefined
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return text
  throw new StartError('DATABASE_URL must look like postgresql://user:password@host:5432/name.')
}
