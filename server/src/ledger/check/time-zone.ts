import type { Settings } from '../../config/settings.ts'
import { type Db, one, run, type Sql, sql } from '../../data/sql.ts'
import { StartError } from '../../lib/start-error.ts'

/**
 * The zone in which the installation counts its days, stored in `installation`. It is the one of TIME_ZONE, or the one
 * that its admin chooses before the first transfer. From then on only `npm run ledger:days` changes it.
 */
export const NAME = 'time_zone'
const SOURCE = 'time_zone_source'

export type ZoneSettings = Pick<Settings, 'timeZone'> & Partial<Pick<Settings, 'isTimeZoneGiven' | 'isTimeZoneFixed'>>

/** Whether a batch of this time zone would count days of another one than the totals do. */
export const isOtherZone = (timeZone: string): Sql =>
  sql`exists (select from installation where name = ${NAME} and value <> ${timeZone}::text)`

/** A batch of another zone than that of the day totals. */
export class OtherTimeZone extends Error {
  constructor() {
    super('TIME_ZONE is not that of the day totals: start this server with the one that the others have')
  }
}

const storedZone = async (db: Db): Promise<string | undefined> =>
  (await one<{ value: string }>(db, sql`select value from installation where name = ${NAME}`))?.value

/** Without TIME_ZONE, takes the zone of the installation into these settings. Returns whether they had another one. */
export const adoptZone = async (db: Db, settings: ZoneSettings): Promise<boolean> => {
  const stored = settings.isTimeZoneGiven || settings.isTimeZoneFixed ? undefined : await storedZone(db)
  if (stored === undefined || stored === settings.timeZone) return false
  settings.timeZone = stored
  return true
}

/**
 * Chooses the zone while nothing is counted by days: no transfer, no move of an account, no closed period. Returns false
 * when it is too late, or when TIME_ZONE has set it and `source` is an admin.
 */
export const chooseZone = async (db: Db, timeZone: string, source: 'environment' | 'admin'): Promise<boolean> =>
  (await one<{ chosen: boolean }>(db, sql`select choose_time_zone(${timeZone}::text, ${source}::text) as chosen`))
    ?.chosen === true

/** Whether somebody has chosen the zone, and whether it can still be chosen in the product. */
export const zoneState = async (db: Db): Promise<{ isChosen: boolean; isOpen: boolean }> => {
  const found = await one<{ source: string | null; isCounted: boolean }>(
    db,
    sql`select (select value from installation where name = ${SOURCE}) as source,
      exists (select from transfers) or exists (select from past_places) or exists (select from closed_periods) as "isCounted"`,
  )
  return {
    isChosen: typeof found?.source === 'string' || found?.isCounted === true,
    isOpen: found?.isCounted === false && found.source !== 'environment',
  }
}

/**
 * At the start of a server: the first one notes its time zone. TIME_ZONE may still be changed while nothing is counted;
 * without it the server takes the zone of the installation. @throws StartError as `checkZone`
 */
export const noteZone = async (db: Db, settings: ZoneSettings): Promise<void> => {
  const { timeZone } = settings
  await run(db, sql`insert into installation (name, value) values (${NAME}, ${timeZone}) on conflict do nothing`)
  if (!settings.isTimeZoneGiven) return void (await adoptZone(db, settings))
  if ((await storedZone(db)) !== timeZone && !(await chooseZone(db, timeZone, 'environment')))
    await checkZone(db, timeZone)
  await run(
    db,
    sql`insert into installation (name, value) values (${SOURCE}, 'environment')
      on conflict (name) do update set value = excluded.value where installation.value <> excluded.value`,
  )
}

/** @throws StartError when the day totals count the days of another time zone. */
export const checkZone = async (db: Db, timeZone: string): Promise<void> => {
  const stored = await storedZone(db)
  if (stored !== undefined && stored !== timeZone)
    throw new StartError(
      `TIME_ZONE is "${timeZone}", but the day totals of this installation count days in "${stored}". Set TIME_ZONE=${stored} as before; or, to change it, stop all servers and run: npm run ledger:days`,
    )
}

const WATCH_MS = 2000

/**
 * Follows the choice that an admin makes on another copy, until nothing can be chosen any more. A transfer in between
 * does not wait for it: it finds the other zone itself. Returns what stops it.
 */
export const followZone = (db: Db, settings: ZoneSettings): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = settings.isTimeZoneGiven === true
  const look = async () => {
    const { isOpen } = await zoneState(db)
    // After the look, so that a choice just before the first transfer is not missed.
    await adoptZone(db, settings)
    settings.isTimeZoneFixed = !isOpen
    isOver ||= !isOpen
  }
  const next = () => {
    if (isOver) return
    // Without a database this is tried again like everything else.
    timer = setTimeout(
      () =>
        void look()
          .catch(() => undefined)
          .finally(next),
      WATCH_MS,
    )
    timer.unref()
  }
  next()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
