import type pg from 'pg'
import { parseDatabaseUrl } from '../config/database-url.ts'
import type { Settings } from '../config/settings.ts'
import { onServer } from './ask-server.ts'
import { type Diagnosis, fine, warning, wrong } from './diagnosis.ts'

const TRIES = 5
/** pg keeps what the server said about itself, without telling its types. */
type Known = { processID: number | null }

const backendOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ id: number }>('select pg_backend_pid() as id')).rows[0]?.id ?? 0

/**
 * What is between us and PostgreSQL. A pooler invents the number of the process that it tells its clients. In transaction
 * mode a process that one connection has just used is given to the next one, though the first is still open.
 */
const poolerAt = (url: string): Promise<'none' | 'session' | 'transaction'> =>
  onServer(url, async (first) => {
    if ((first as unknown as Known).processID === (await backendOf(first))) return 'none'
    return onServer(url, async (second) => {
      for (let left = TRIES; left > 0; left--)
        if ((await backendOf(first)) === (await backendOf(second))) return 'transaction'
      return 'session'
    })
  })

/** Whether a pooler is where the settings say. */
export const pooler = async ({ settings }: { settings: Settings }): Promise<Diagnosis[]> => {
  const { databaseUrl, databaseOwnerUrl, isPooled } = settings
  if (!databaseUrl) return []
  const { url = databaseUrl, hosts } = parseDatabaseUrl(databaseUrl) ?? {}
  // Several servers are asked for who takes writes, each by itself.
  const found = hosts && hosts.length > 1 ? 'none' : await poolerAt(url)
  const diagnoses = [ofServing(found, isPooled)].flat()
  if (
    databaseOwnerUrl &&
    !parseDatabaseUrl(databaseOwnerUrl)?.hosts &&
    (await poolerAt(databaseOwnerUrl)) === 'transaction'
  )
    diagnoses.push(
      wrong(
        'DATABASE_OWNER_URL leads through a pooler in transaction mode.',
        'Let it lead to PostgreSQL itself: migrations hold a lock of their session.',
      ),
    )
  return diagnoses
}

const ofServing = (found: 'none' | 'session' | 'transaction', isPooled: boolean): Diagnosis | [] => {
  if (found === 'transaction')
    return isPooled
      ? fine('DATABASE_URL leads through a pooler in transaction mode, as DATABASE_POOLER says.')
      : wrong(
          'DATABASE_URL leads through a pooler in transaction mode, but DATABASE_POOLER is not set.',
          'Set DATABASE_POOLER=transaction and DATABASE_OWNER_URL: without them statements fail.',
        )
  if (isPooled)
    return warning(
      found === 'none'
        ? 'DATABASE_POOLER=transaction, but DATABASE_URL leads to PostgreSQL itself.'
        : 'DATABASE_POOLER=transaction, but the pooler seems to be in session mode.',
      'Leave DATABASE_POOLER out: with it PostgreSQL parses each statement every time.',
    )
  return found === 'session' ? fine('DATABASE_URL leads through a pooler in session mode.') : []
}
