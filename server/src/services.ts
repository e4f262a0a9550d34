import type { Logger } from 'pino'
import type { AnswerTimes } from './chat/answer-time.ts'
import type { MediaStores } from './data/media/stores.ts'
import type { Database } from './data/sql.ts'
import type { Replicas } from './data/replicas.ts'
import type { DiskWatch } from './data/disk.ts'
import type { Inspector } from './chat/files/inspect.ts'
import type { Uploads } from './chat/files/uploads.ts'
import type { Hub } from './live/hub.ts'
import type { LiveState } from './live/live-state.ts'
import type { InstallationKey } from './data/installation-key.ts'
import type { Ledger } from './ledger/engine/ledger.ts'
import type { Limits } from './identity/limits.ts'
import type { Measures } from './lib/measures.ts'
import type { Media } from './chat/media.ts'
import type { MessageSender } from './chat/send-message.ts'
import type { Outgoing } from './lib/outgoing.ts'
import type { Push } from './chat/push/push.ts'
import type { Settings } from './config/settings.ts'
import type { Sms } from './identity/sign-in/sms.ts'
import type { Traces } from './lib/traces.ts'

/** The services that all parts of the server share. `start` makes them once in a process; each test file makes its own. */
export type Services = {
  settings: Settings
  db: Database
  /** Connections for what only reads: whatever is read, `db` has some left for writes and sessions. */
  reads: Database
  /** Undefined without DATABASE_READ_URL. */
  replicas: Replicas | undefined
  key: InstallationKey
  hub: Hub
  live: LiveState
  ledger: Ledger
  messages: MessageSender
  answerTimes: AnswerTimes
  push: Push
  /** Where images and files are; `media` says who may see which. */
  mediaStores: MediaStores
  media: Media
  uploads: Uploads
  inspector: Inspector
  sms: Sms
  limits: Limits
  disk: DiskWatch
  measures: Measures
  outgoing: Outgoing
  /** Undefined without OTEL_EXPORTER_OTLP_ENDPOINT. */
  traces: Traces | undefined
  log: Logger
}
