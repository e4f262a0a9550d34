import type { Limits } from '../identity/limits.ts'
import type { Readings } from '../http/metrics.ts'
import type { Ledger } from '../ledger/engine/ledger.ts'
import type { Traces } from '../lib/traces.ts'
import type { LiveState } from '../live/live-state.ts'
import type { OpenRelay } from '../live/relay.ts'

/** A process does a part of the work. Without workers one is `alone`; else the `writer` writes the ledger and does the tasks for all. */
export type Part =
  | { kind: 'alone' }
  | { kind: 'writer'; openRelay: OpenRelay; readWorkers: () => Promise<Readings[]> }
  | {
      kind: 'worker'
      openRelay: OpenRelay
      limits: Limits
      people: LiveState['people']
      ledger: (traces: Traces | undefined) => Ledger
    }
