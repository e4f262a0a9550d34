import { isClockInDoubt, noteServerTime } from './clock.ts'

type Config = {
  api: string
  secret: string
  time_zone?: string
  passkeys?: boolean
  passkey_sign_in?: boolean
  recovery_sms?: boolean
}

let config: Promise<Config> | undefined
const listeners: ((config: Config) => void)[] = []

const load = async (): Promise<Config> => {
  const answer = await fetch('/config.json')
  noteServerTime(answer.headers.get('date'))
  const loaded = (await answer.json()) as Config
  for (const listener of listeners) listener(loaded)
  return loaded
}

/** Calls `listener` with each configuration that is loaded. */
export const onConfig = (listener: (config: Config) => void): void => {
  listeners.push(listener)
}

/**
 * Loads `/config.json` once, at run time: a new address of the API needs no rebuild. A failed load is retried by the
 * next caller.
 */
export const configured = (): Promise<Config> => {
  config ??= load().catch((error: unknown) => {
    config = undefined
    throw error
  })
  return config
}

/**
 * Loads `/config.json` again, with the server's time. What is known stays when it cannot be loaded. A new time zone, which
 * an admin chooses once before the first transfer, loads the page again: every time on it would be another one.
 */
export const configuredAgain = async (): Promise<void> => {
  const before = await config?.catch(() => undefined)
  const loaded = await load().catch(() => undefined)
  if (!loaded) return
  config = Promise.resolve(loaded)
  if (before && before.time_zone !== loaded.time_zone) window.location.reload()
}

/** Asks the server for its time when the device has slept or its clock was set. */
export const checkClock = (): void => {
  if (isClockInDoubt()) void configuredAgain()
}
