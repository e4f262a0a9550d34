import type { Settings } from '../config/settings.ts'
import type { Database, Db } from '../data/sql.ts'
import type { Actor } from './actor.ts'
import type { Caller, Reply } from './caller.ts'

/** The part of the socket hub that identity needs. `live/hub.ts` implements it. */
export type SessionEnder = { endSessions(sessionIds: bigint[], reason: string): void }

/** A sign-in in progress: there is no actor yet. */
export type SignInContext = {
  services: { db: Database; settings: Pick<Settings, 'limits' | 'publicUrl' | 'origins'>; hub: SessionEnder }
  caller: Caller
  reply: Reply
  db: Db
}

/** A signed-in actor whose password is checked outside the transaction of the call. */
export type ActorContext = { services: { db: Database }; caller: Caller; actor: Actor }
