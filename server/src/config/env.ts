import { parsePoints } from '@tallyroom/contract/points'
import { StartError } from '../lib/start-error.ts'

/** Readers of environment variables. Each throws a StartError naming the variable when it cannot parse the value. */

export const wholeNumber = (env: NodeJS.ProcessEnv, name: string, fallback: number, least: number, most: number) => {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new StartError(`${name} is "${text}", but must be a whole number from ${least} to ${most}.`)
}

export const points = (env: NodeJS.ProcessEnv, name: string) => {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  const value = parsePoints(text)
  if (value !== undefined && value > 0n) return value
  throw new StartError(`${name} is "${text}", but must be points such as 500 or 12.5, or empty for no cap.`)
}

export const yesOrNo = (env: NodeJS.ProcessEnv, name: string, fallback: boolean) => {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  if (['1', 'true', 'yes'].includes(text)) return true
  if (['0', 'false', 'no'].includes(text)) return false
  throw new StartError(`${name} is "${text}", but must be 1 or 0.`)
}

export const oneOf = (env: NodeJS.ProcessEnv, name: string, words: [string, ...string[]]) => {
  const text = env[name] || words[0]
  if (words.includes(text)) return text
  throw new StartError(`${name} is "${text}", but must be one of ${words.join(', ')}.`)
}

export const webAddress = (env: NodeJS.ProcessEnv, name: string) => {
  const text = env[name]
  if (!text) return undefined
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text
  throw new StartError(`${name} must look like https://example.com.`)
}

/** Only scheme, host and port, because the origins go into a header. */
export const webOrigins = (env: NodeJS.ProcessEnv, name: string) => {
  const origins = (env[name] ?? '').split(',').filter(Boolean)
  if (origins.every((one) => /^https?:\/\/[\w.:[\]-]+$/.test(one) && URL.canParse(one) && new URL(one).origin === one))
    return origins
  throw new StartError(`${name} must be origins such as https://www.example.com,https://shop.example.com.`)
}

export const hostNames = (env: NodeJS.ProcessEnv, name: string) => {
  const names = (env[name] ?? '').split(',').filter(Boolean)
  if (names.every((one) => /^([a-z\d-]+\.)+[a-z]{2,}$/.test(one))) return names
  throw new StartError(`${name} must be names such as push.example.com,push.example.org.`)
}

export const timeZone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name
  } catch {
    throw new StartError(`TIME_ZONE is "${name}", but must be an IANA name such as Asia/Taipei.`)
  }
}
