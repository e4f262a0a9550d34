/** A contestant under load: operations a second, milliseconds each, and cores in use. */
export type Load = { rate: number; p50: number; p99: number; client: number; server: number; database: number }

export const loadHead = (what: string) => [
  '',
  `${what} a second`,
  'p50 ms',
  'p99 ms',
  'cores: client',
  'server',
  'database',
]

export const loadRow = (name: string, { rate, p50, p99, client, server, database }: Load) => {
  const cores = [client, server, database].map((used) => (Number.isNaN(used) ? '' : used.toFixed(2)))
  return [name, rate, p50, p99, ...cores]
}
