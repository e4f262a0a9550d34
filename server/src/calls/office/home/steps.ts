import type { Answer } from '@tallyroom/contract'
import type { homeCalls } from '@tallyroom/contract/calls/office/home'
import { Role } from '@tallyroom/contract/codes'
import { addressForOthers } from '../../../config/address-for-others.ts'
import type { Settings } from '../../../config/settings.ts'
import { lastBackup } from '../../../doctor/last-backup.ts'
import { type Db, one, run, sql } from '../../../data/sql.ts'
import { is } from '../../../domain/is.ts'
import { type Actor, visibleAccounts } from '../../../identity/actor.ts'
import { audit } from '../../../identity/audit.ts'
import { chooseZone, zoneState } from '../../../ledger/check/time-zone.ts'
import { refuse } from '../../../lib/refusal.ts'
import { asTyped } from '../../../lib/typed-commands.ts'
import { isTimeZone } from '../../../config/env.ts'
import { factorExists } from '../../../identity/factor-exists.ts'
import { type Named, shownText, shownUsername } from '../../../identity/masking.ts'
import type { Handlers } from '../../handler.ts'

type Step = Answer<'home/steps'>['steps'][number]['step']

const stepsOf = ({ role, id, topId }: Actor, { databaseUrl }: Settings): Step[] => [
  ...(id === topId ? (['zone'] as const) : []),
  ...(role === Role.admin ? (['agent', 'points'] as const) : (['service', 'get_points'] as const)),
  'share',
  'conversation',
  'factor',
  // The backups of a database outside are not known here.
  ...(id === topId && !databaseUrl ? (['backup'] as const) : []),
]

/** FIRST-01: what exists decides which steps are done, so none has to be ticked. */
const found = async (db: Db, actor: Actor) => {
  const below = visibleAccounts(actor)
  return one<Record<Exclude<Step, 'backup' | 'zone' | 'get_points'>, boolean>>(
    db,
    sql`select
      exists (select from accounts a where ${below} and a.role_id = ${is.agent} and a.id <> ${actor.id}) as agent,
      exists (select from accounts a where a.group_id = ${actor.groupId} and a.role_id = ${is.customerService} and not a.is_key) as service,
      exists (select from wallets w join postings p on p.wallet_id = w.id where w.account_id = ${actor.id}) as points,
      exists (select from accounts a where ${below} and a.role_id = ${is.member}) as share,
      exists (select from accounts a join rooms r on r.group_id = a.id join messages m on m.room_id = r.id
        where ${below} and a.role_id <= ${is.agent} and m.from_partner) as conversation,
      ${factorExists(sql`${actor.id}::int`)} as factor`,
  )
}

type Sharer = Named & { nickname: string; shareCode: string; domain: string }

/** The first agent below with points, or else the first one. */
const findSharer = async (db: Db, actor: Actor) => {
  if (actor.role !== Role.admin) return undefined
  const row = await one<Sharer>(
    db,
    sql`select a.id, a.username, a.nickname, a.is_sub as "isSub", a.share_code as "shareCode", a.domain
      from accounts a join wallets w on w.account_id = a.id and w.kind = ${is.mainWallet}
      where ${visibleAccounts(actor)} and a.role_id = ${is.agent} and a.status = ${is.active} and a.id <> ${actor.id}
      order by (w.floor is null or w.balance > w.floor) desc, a.id limit 1`,
  )
  if (!row) return undefined
  const name = shownText(actor, row, row.nickname) || shownUsername(actor, row)
  return { name, share_code: row.shareCode, domain: row.domain }
}

export const stepHandlers = {
  'home/steps': async ({ db, actor, services: { settings } }) => {
    const own = await one<{ putAway: boolean }>(
      db,
      sql`select first_steps_put_away as "putAway" from accounts where id = ${actor.id}`,
    )
    if (!own || own.putAway) return { steps: [] }
    const zone = await zoneState(db)
    const facts = await found(db, actor)
    const backup = await hasBackup(settings)
    const done = { ...facts, get_points: facts?.points, zone: zone.isChosen, backup }
    const sharer = await findSharer(db, actor)
    const site = addressForOthers(settings)
    const steps = stepsOf(actor, settings)
    return {
      steps: steps.map((step) => ({ step, done: done[step] ?? false })),
      ...(actor.id === actor.topId && zone.isOpen ? { open_zone: settings.timeZone } : {}),
      ...(sharer ? { sharer } : {}),
      ...(site ? { site } : {}),
      ...(steps.includes('backup') ? { backup_command: asTyped('npm run backup -- DIR') } : {}),
    }
  },

  'home/putAway': async ({ db, actor }, { put_away }) => {
    await run(db, sql`update accounts set first_steps_put_away = ${put_away} where id = ${actor.id}`)
    return null
  },

  // FIRST-04. A transfer that is made meanwhile waits, and counts its day in the new zone.
  'home/chooseZone': async (ctx, { time_zone }) => {
    const { db, actor, services } = ctx
    const { settings } = services
    if (actor.id !== actor.topId) return refuse('access.denied')
    // Node and PostgreSQL must both know it, and in this spelling.
    const known = await one(db, sql`select from pg_timezone_names where name = ${time_zone}`)
    if (!known || !isTimeZone(time_zone)) return refuse('home.zone_unknown')
    const before = settings.timeZone
    if (settings.isTimeZoneGiven || !(await chooseZone(db, time_zone, 'admin'))) return refuse('home.zone_fixed')
    await audit(db, ctx, 'settings_changed', actor, { time_zone: [before, time_zone] })
    db.afterCommit(() => {
      settings.timeZone = time_zone
      services.hub.settingsChanged(actor.topId)
    })
    return null
  },
} satisfies Handlers<Pick<typeof homeCalls, 'home/steps' | 'home/putAway' | 'home/chooseZone'>>

/** A log archive is a backup that goes on by itself. */
const hasBackup = async ({ dataDir, walArchive }: Settings) =>
  Boolean(walArchive) || (await lastBackup(dataDir)) !== undefined
