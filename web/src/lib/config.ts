type Config = { api: string; secret: string; time_zone?: string; passkeys?: boolean; recovery_sms?: boolean }

let config: Promise<Config> | undefined

/**
 * Loads `/config.json` once, at run time: a new address of the API needs no rebuild. A failed load is retried by the
 * next caller.
 */
export const configured = (): Promise<Config> => {
  config ??= fetch('/config.json')
    .then((answer) => answer.json() as Promise<Config>)
    .catch((error: unknown) => {
      config = undefined
      throw error
    })
  return config
}
