import type { WordKey } from '@tallyroom/locales'
import { type Db, many, type Sql, sql } from '../../data/sql.ts'
import { isSandbox } from '../../domain/sandboxes.ts'

/** Gives the person time to read it on an open page, and colleagues to answer. */
export const DELAY_SECONDS = 2
/** Longer than an attempt may take. After a crash, another process takes the push over. */
const LEASE_SECONDS = 60
export const MAX_TRIES = 5

/** A transfer above a limit, or a sensitive change. */
export type ApprovalKind = 'transfer' | 'change'

/** A push that is to be sent now, about a room, or about what waits for approval. */
export type DuePush = {
  /** `later`: of a room that is raised to its account (raise-rooms.ts). */
  about: 'room' | 'later' | 'bell' | 'endpoint' | ApprovalKind
  itemId: number
  subscriptionId: bigint
  accountId: number
  tries: number
  /** The number that is noted of a room; 0 of an approval. */
  noted: number
  toldSeq: number
  sealed: string
  hash: Buffer
  language: string
  isAlive: boolean
}

/**
 * The text of a push. `title` is a room's name as the receiver sees it, without one it is the word `titled`; a newer push
 * replaces one of the same tag.
 */
export type PushContent = {
  title: string | undefined
  titled?: WordKey
  body: WordKey
  url: string
  tag: string
  seq: number
}

const claimed = sql`due_at = now() + make_interval(secs => ${LEASE_SECONDS}::int), tries = w.tries + 1`

/** Claims due pushes, at most `most` of each kind. Any number of processes may call it at once; each row goes to one. */
export const claimPushes = (db: Db, most: number): Promise<DuePush[]> =>
  many<DuePush>(
    db,
    sql`with due as (select subscription_id, room_id from pushes where due_at <= now() order by due_at limit ${most}
          for update skip locked),
        rooms as (update pushes w set ${claimed} from due
          where w.subscription_id = due.subscription_id and w.room_id = due.room_id returning w.*),
        called as (select subscription_id, about, item_id from approval_pushes where due_at <= now() order by due_at
          limit ${most} for update skip locked),
        approvals as (update approval_pushes w set ${claimed} from called
          where w.subscription_id = called.subscription_id and w.about = called.about and w.item_id = called.item_id
          returning w.*),
        taken as (select 'room' as about, room_id as item_id, subscription_id, tries, noted, told_seq from rooms
          union all select about, item_id, subscription_id, tries, 0, 0 from approvals)
      select t.about, t.item_id as "itemId", t.subscription_id as "subscriptionId", t.tries, t.noted,
        t.told_seq as "toldSeq", p.account_id as "accountId", p.sealed, p.endpoint_hash as hash, p.language,
        s.ended_at is null and s.expires_at > now() and s.seen_at >= now() - make_interval(mins => s.idle_minutes)
          and not ${isSandbox(sql`p.top_id`)} as "isAlive"
      from taken t join push_subscriptions p on p.id = t.subscription_id join sessions s on s.id = p.session_id`,
  )

/** After 5, 10, 20 and 40 s. */
export const retryAt = ({ tries }: Pick<DuePush, 'tries'>): Sql =>
  sql`now() + make_interval(secs => ${5 * 2 ** (tries - 1)}::int)`
