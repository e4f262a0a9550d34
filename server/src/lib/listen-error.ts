import { StartError } from './start-error.ts'

/** Names the setting of an address that cannot be listened on; every other error stays as it is. */
export const asListenError = (
  error: unknown,
  at: { port: number; host: string },
  setting: '' | 'METRICS_',
): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const [port, host] = [`${setting}PORT`, `${setting}HOST`]
  if (code === 'EADDRINUSE') {
    const other = at.port === 65_535 ? at.port - 1 : at.port + 1
    return new StartError(`Port ${at.port} is taken. Stop what runs there, or choose another with ${port}=${other}.`)
  }
  if (code === 'EACCES')
    return new StartError(
      `Not allowed to listen on port ${at.port}. Choose one above 1023 with ${port}=${at.port + 3000}.`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartError(
      `${host} is "${at.host}", but must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.`,
    )
  return error
}
