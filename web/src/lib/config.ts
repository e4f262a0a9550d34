type Config = { api: string; secret: string; time_zone?: string }

let config: Promise<Config> | undefined

/** `/config.json` is read at run time: another address of the API needs no rebuild. */
export const configured = (): Promise<Config> => {
  config ??= fetch('/config.json')
    .then((answer) => answer.json() as Promise<Config>)
    .catch((error: unknown) => {
      config = undefined
      throw error
    })
  return config
}
