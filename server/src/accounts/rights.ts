import { isOffice } from '@tallyroom/contract/codes'
import { many, run, sql, type Tx } from '../data/sql.ts'
import { type Actor, inBranch } from '../identity/actor.ts'
import { audit, type AuditFacts } from '../identity/audit.ts'
import type { Caller } from '../identity/caller.ts'
import {
  type Decision,
  type Explanation,
  type ExplainedRight,
  explainRights,
  type RightHolder,
} from '../identity/explain-rights.ts'
import type { RightName } from '../identity/menu-pages.ts'
import { asRight, mayAct } from '../identity/policy.ts'
import { refuse } from '../lib/refusal.ts'
import type { Hub } from '../live/hub.ts'
import { ensureAsShown, waitsForApproval } from './sensitive-changes.ts'
import { minuteOf } from '../domain/day-hours.ts'
import { is } from '../domain/is.ts'

type Hours = { from: string; until: string } | null
type WantedRight = { name: string; given: boolean; hours: Hours }
type NewRight = { name: RightName; given: boolean; hours: Hours; before: Decision | undefined }

type Giver = { actor: Actor; caller: Caller; hub: Hub; timeZone: string; envelopeHours: number }

/** Whether the viewer manages the rights of this account: not its own, and by the action that edits accounts. */
const manages = (viewer: Actor, { id, role }: RightHolder) => id !== viewer.id && mayAct(viewer, 'right/save', role)

/** Somebody above the viewer has decided it: only they, and those above them, decide it again. */
const isDecidedAbove = (viewer: Actor, own: Decision | undefined) =>
  own?.by ? own.by.id !== viewer.id && viewer.path.startsWith(own.by.path) : false

/** Whether the viewer may give or take one right of an account. Nobody gives a right that they lack. */
export const giving = (viewer: Actor, holder: RightHolder, { name, own, above }: ExplainedRight) => {
  const may_take = manages(viewer, holder) && !isDecidedAbove(viewer, own)
  return { may_take, may_give: may_take && above === undefined && viewer.rights.has(name) }
}

/** The changes that are really changes. @throws Refused with why one of them is not the giver's to make */
const checkedRights = (viewer: Actor, { holder, rights }: Explanation, wanted: WantedRight[]): NewRight[] =>
  wanted.flatMap(({ name: asked, given, hours }) => {
    const name = asRight(holder.role, asked)
    const right = rights.find((one) => one.name === name)
    if (!name || !right) return refuse('right.unknown', { right: asked })
    if (hours && (!given || hours.from === hours.until)) return refuse('right.hours_same')
    const { own, above } = right
    if (isSame(right, { given, hours })) return []
    if (isDecidedAbove(viewer, own)) return refuse('right.decided_above')
    if (given && !viewer.rights.has(name)) return refuse('right.not_yours')
    if (given && above) return refuse('right.upline_has_not')
    return [{ name, given, hours, before: own }]
  })

const isSame = ({ own, reason }: ExplainedRight, { given, hours }: Pick<WantedRight, 'given' | 'hours'>) => {
  const isGiven = own ? own.isGiven : reason !== 'not_given'
  return (
    isGiven === given &&
    (own?.from ?? null) === (hours?.from ?? null) &&
    (own?.until ?? null) === (hours?.until ?? null)
  )
}

/**
 * RIGHT-01: gives rights to an account below the giver or takes them. Every way to change rights goes through
 * `changeRights`, which decides and calls `writeRights`. True: what is given waits for approval. `shown`: it was approved
 * as these facts.
 */
export const changeRights = async (
  tx: Tx,
  giver: Giver,
  id: number,
  wanted: WantedRight[],
  shown?: AuditFacts,
): Promise<boolean> => {
  const { actor } = giver
  if (id === actor.id) return refuse('account.not_yourself')
  const found = await explainRights(tx, giver, id, sql`for no key update`)
  if (!isOffice(found.holder.role) || !manages(actor, found.holder)) return refuse('access.denied')
  const rights = checkedRights(actor, found, wanted)
  if (shown) ensureAsShown(shown, factsOf(rights))
  const waits = !shown && (await givenWait(tx, giver, found.holder, rights))
  await writeRights(tx, giver, found.holder, waits ? rights.filter(({ given }) => !given) : rights)
  return waits
}

/** Whether a second account has to approve the rights that are given. Taking them needs nobody. */
const givenWait = async (tx: Tx, giver: Giver, holder: RightHolder, rights: NewRight[]): Promise<boolean> => {
  const given = rights.filter((right) => right.given)
  if (given.length === 0) return false
  const { hub, envelopeHours } = giver
  return waitsForApproval(
    { ...giver, db: tx, services: { hub, settings: { envelopeHours } } },
    {
      kind: 'rights',
      call: 'right/save',
      input: { id: holder.id, rights: given.map(({ name, hours }) => ({ name, given: true, hours })) },
      target: holder,
      subject: 'rights',
      facts: factsOf(given),
    },
  )
}

const factsOf = (rights: NewRight[]): AuditFacts =>
  rights.reduce<AuditFacts>(
    (all, { name, given, hours, before }) => ({
      ...all,
      [`right_${name}`]: [before ? stateOf(before.isGiven, before) : 'role', stateOf(given, hours)],
    }),
    {},
  )

const writeRights = async (tx: Tx, giver: Giver, holder: RightHolder, rights: NewRight[]): Promise<void> => {
  if (rights.length === 0) return
  const column = <T>(pick: (right: NewRight) => T) => rights.map(pick)
  await run(
    tx,
    sql`insert into account_rights (account_id, top_id, by_id, name, is_given, from_minute, until_minute)
      select ${holder.id}::int, ${holder.topId}::int, ${giver.actor.id}::int, * from unnest(${column(({ name }) => name)}::text[],
        ${column(({ given }) => given)}::boolean[], ${column(({ hours }) => minuteOf(hours?.from))}::smallint[],
        ${column(({ hours }) => minuteOf(hours?.until))}::smallint[])
      on conflict (account_id, name) do update set is_given = excluded.is_given, from_minute = excluded.from_minute,
        until_minute = excluded.until_minute, by_id = excluded.by_id, at = now()`,
  )
  await audit(tx, giver, 'rights_changed', holder, factsOf(rights))
  // A right that an agent loses is gone from everyone below it, and comes back there when the agent gets it again.
  const below = await many<{ id: number }>(
    tx,
    sql`select a.id from accounts a where ${inBranch(holder.path)} and a.role_id <= ${is.customerService}`,
  )
  tx.afterCommit(() => giver.hub.rightsChanged(below.map(({ id }) => id)))
}

const stateOf = (given: boolean, hours: { from: string | null; until: string | null } | null) => {
  if (!given) return 'taken'
  return hours?.from ? `given ${hours.from}–${hours.until}` : 'given'
}
