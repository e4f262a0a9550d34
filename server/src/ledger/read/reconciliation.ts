import type { Role } from '@tallyroom/contract/codes'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { type Database, type Db, type LeftJoined, many, one, run, sql } from '../../data/sql.ts'
import { type Named, shownText, shownUsername } from '../../identity/masking.ts'
import { checkLedger, type Finding } from '../check/check.ts'
import { moment } from './history.ts'
import { is } from '../../domain/is.ts'

const HOLDERS = 20
/** Only everything below a top account sums to zero, and only that is checked. */
export const isTop = (actor: Actor): boolean => actor.id === actor.topId
type Sums = { main: bigint; game: bigint; escrow: bigint }
const sums = sql`coalesce(sum(w.balance) filter (where w.kind = ${is.mainWallet}), 0)::bigint as main,
  coalesce(sum(w.balance) filter (where w.kind = ${is.gameWallet}), 0)::bigint as game,
  coalesce(sum(w.balance) filter (where w.kind = ${is.escrow}), 0)::bigint as escrow`

/**
 * Who holds how many points below an admin, and in open envelopes, in one snapshot. The top account sees everything below
 * it with the game account; other admins see their own downline.
 */
export const reconcile = async (db: Db, actor: Actor) => {
  const top = actor.topId
  const whole = isTop(actor)
  const scope = whole ? sql`true` : visibleAccounts(actor)
  const accounts = whole ? sql`` : sql`join accounts a on a.id = w.account_id`
  const roles = await many<Sums & { role: Role | 0; accounts: number; held: bigint; owed: bigint }>(
    db,
    sql`select a.role_id as role, count(distinct a.id)::int as accounts, ${sums},
        coalesce(sum(w.balance) filter (where w.balance > 0), 0)::bigint as held,
        coalesce(sum(w.balance) filter (where w.balance < 0), 0)::bigint as owed
      from wallets w join accounts a on a.id = w.account_id where w.top_id = ${top} and ${scope} group by a.role_id order by a.role_id`,
  )
  const holders = await many<Named & Pick<Sums, 'main' | 'game'> & { role: Role; nickname: string }>(
    db,
    sql`select a.id, a.username, a.nickname, a.is_sub as "isSub", a.role_id as role, h.main, h.game
      from (select w.account_id, ${sums}, sum(w.balance) as total from wallets w ${accounts} where w.top_id = ${top} and w.kind < ${is.escrow} and ${scope}
          group by w.account_id having sum(w.balance) > 0 order by sum(w.balance) desc, w.account_id limit ${HOLDERS}) h
        join accounts a on a.id = h.account_id where ${visibleAccounts(actor)} order by h.total desc, a.id`,
  )
  const open = await one<{ offers: number; held: bigint; requests: number; asked: bigint }>(
    db,
    sql`select (count(*) filter (where e.type in (${is.giving}, ${is.cashHold}, ${is.heldGiving}, ${is.heldTaking})))::int as offers, (count(*) filter (where e.type in (${is.asking}, ${is.heldAsking})))::int as requests,
        coalesce(sum(t.amount) filter (where e.type in (${is.giving}, ${is.cashHold}, ${is.heldGiving}, ${is.heldTaking})), 0)::bigint as held,
        coalesce(sum(t.amount) filter (where e.type in (${is.asking}, ${is.heldAsking})), 0)::bigint as asked
      from envelopes e join transfers t on t.id = e.transfer_id join accounts a on a.id = t.target_id
      where e.status = ${is.pending} and e.top_id = ${top} and ${scope}`,
  )
  return {
    whole,
    roles,
    holders: holders.map((row) => ({
      ...row,
      username: shownUsername(actor, row),
      nickname: shownText(actor, row, row.nickname),
    })),
    open: open ?? { offers: 0, held: 0n, requests: 0, asked: 0n },
  }
}

/** Runs the whole check and stores its result. `actorId` is null for the command line. */
export const checkAndStore = async (db: Database, actorId: number | null, timeZone: string): Promise<Finding[]> => {
  const began = performance.now()
  const findings = await checkLedger(db, timeZone)
  await run(
    db,
    sql`insert into ledger_checks (actor_id, took_ms, findings)
      values (${actorId}, ${Math.round(performance.now() - began)}, ${JSON.stringify(findings)})`,
  )
  return findings
}

type KeptRow = LeftJoined<Named> & { at: string; took_ms: number; findings: Finding[] }

/** The last check, with the breaches below the actor's own top account only. */
export const lastCheck = async (db: Db, actor: Actor, timeZone: string) => {
  const kept = await one<KeptRow>(
    db,
    sql`select ${moment(sql`c.at`, timeZone)} as at, c.took_ms, c.findings, a.id, a.username, a.is_sub as "isSub"
      from ledger_checks c left join accounts a on a.id = c.actor_id and ${visibleAccounts(actor)} order by c.id desc limit 1`,
  )
  if (!kept) return null
  const findings = kept.findings.map(({ rule, breaches }) => ({
    rule,
    breaches: breaches.filter(({ topId }) => topId === actor.topId).map(({ what }) => what),
  }))
  return { at: kept.at, by: kept.id === null ? '' : shownUsername(actor, kept), took_ms: kept.took_ms, findings }
}
