import type { Logger } from 'pino'
import type { Connections } from './connections.ts'
import type { Database } from './db.ts'
import type { Disk } from './disk.ts'
import type { Hub } from './hub.ts'
import type { InstallationKey } from './installation-key.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Limits } from './limits.ts'
import type { Media } from './media.ts'
import type { Post } from './post.ts'
import type { Push } from './push/push.ts'
import type { Settings } from './settings.ts'
import type { Sms } from './sms.ts'

/** What every part of the server shares. Made once in `main.ts`, and for each test by `testing/`. */
export type House = {
  settings: Settings
  db: Database
  key: InstallationKey
  hub: Hub
  ledger: Ledger
  post: Post
  push: Push
  media: Media
  sms: Sms
  limits: Limits
  disk: Disk
  connections: Connections
  log: Logger
}
