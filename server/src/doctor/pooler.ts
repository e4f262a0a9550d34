import { parseDatabaseUrl } from '../config/database-url.ts'
import type { Settings } from '../config/settings.ts'
import { type Pooler, poolerOf } from '../data/pooler.ts'
import { onServer } from './ask-server.ts'
import { type Diagnosis, fine, warning, wrong } from './diagnosis.ts'

const poolerAt = (url: string): Promise<Pooler> =>
  onServer(url, (first) => poolerOf(first, (work) => onServer(url, work)))

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

const ofServing = (found: Pooler, isPooled: boolean): Diagnosis | [] => {
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
