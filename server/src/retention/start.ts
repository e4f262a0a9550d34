import type { Logger } from 'pino'
import type { Uploads } from '../chat/files/uploads.ts'
import type { Media } from '../chat/media.ts'
import type { Settings } from '../config/settings.ts'
import { deleteAllNoted } from '../data/media/deletions.ts'
import type { MediaStores } from '../data/media/stores.ts'
import { tendRequests } from '../data/request-parts.ts'
import type { Database } from '../data/sql.ts'
import type { SessionEnder } from '../identity/context.ts'
import { repeat } from '../lib/concurrency.ts'
import { noteDatabaseSize } from './database-size.ts'
import { deleteOldRows } from './old-rows.ts'
import { tendSandboxes } from './sandboxes.ts'

const HOUR = 3_600_000

type Retention = {
  db: Database
  media: Pick<Media, 'remove'>
  mediaStores: Pick<MediaStores, 'all'>
  uploads: Pick<Uploads, 'removeOld'>
  settings: Pick<Settings, 'retention' | 'timeZone'>
  hub: SessionEnder
  log: Pick<Logger, 'error'>
}

/** Keeps each kind of data for as long as its setting says: now, and once an hour until it is stopped. */
export const startRetention = ({
  db,
  media,
  mediaStores,
  uploads,
  settings,
  hub,
  log,
}: Retention): (() => Promise<void>) =>
  repeat({
    everyMs: HOUR,
    atOnce: true,
    work: async () => {
      const { retention } = settings
      await tendRequests(db, retention.requestDays)
      await deleteOldRows({ db, media, retention })
      await tendSandboxes({ db, hub, settings })
      await noteDatabaseSize(db)
      // Last: the S3 server may be away.
      await uploads.removeOld()
      await deleteAllNoted(db, mediaStores.all)
    },
    onError: (error) =>
      log.error({ err: error }, 'Could not make parts of tables or delete what is old; trying again in an hour'),
  })
