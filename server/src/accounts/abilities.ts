import { type AbilityFlag, abilityFlags } from '@tallyroom/contract/ability-flags'
import { Role } from '@tallyroom/contract/codes'
import { audit, type AuditFacts } from '../identity/audit.ts'
import { type Db, many, run, type Sql, sql, type Tx } from '../data/sql.ts'
import { is } from '../domain/is.ts'
import { inBranch } from '../identity/actor.ts'

/** All abilities that an account's upline sets. */
type Ability = AbilityFlag | 'transfer_member_flow_limit_multiple' | 'limit_of_credit' | 'unlimited'

/**
 * How an ability is limited by the agent above:
 * - `right`: 1 only if the agent above has 1. Only an account that has it can give it.
 * - `restriction`: 1 takes something away. Agents below one with 1 also have 1; customer service follows its group.
 * - `event`: a state of one group. A new agent starts with the state of the agent above and cannot end event mode.
 * - `turnover`: less turnover is more power. Not below the agent above, unless that agent may change turnover.
 * - `credit`: creates points. Only an admin, the platform or the administrator gives it, to one account by name.
 * - `description`: how the account is shown; permits nothing.
 */
type Rule = 'right' | 'restriction' | 'event' | 'turnover' | 'credit' | 'description'

/** A new ability does not compile without a line here: without a rule an account could exceed the agent above it. */
const abilityRules = {
  is_sub: 'description',
  is_multiple_wallet: 'right',
  transaction_all: 'right',
  event_mode: 'event',
  red_envelope_button_visible: 'right',
  send_red_envelope_button_visible: 'right',
  receive_red_envelope_button_visible: 'right',
  gift_red_envelope_button_visible: 'right',
  point_button_visible: 'right',
  deduct_point_button_visible: 'right',
  cs_flow_limit_button_visible: 'right',
  chat_ai_bot_visible: 'right',
  customized_has_qrcode_show: 'right',
  flow_limit_modify_permission: 'right',
  may_approve: 'right',
  masks_usernames: 'restriction',
  transfer_member_flow_limit_multiple: 'turnover',
  limit_of_credit: 'credit',
  unlimited: 'credit',
} as const satisfies Record<Ability, Rule>

/** Abilities that only an account that has them can give. */
export const rights = abilityFlags.filter((name) => abilityRules[name] === 'right')

/** SQL for the most that an account `a` may have below the agent `u`; undefined: not limited. */
const limitOf = (name: Ability): string | undefined =>
  ({
    right: `least(a.${name}, u.${name})`,
    restriction: `case when a.role_id = ${is.agent.text} then greatest(a.${name}, u.${name}) else a.${name} end`,
    turnover: `case when u.flow_limit_modify_permission = 1 then a.${name} else greatest(a.${name}, u.${name}) end`,
    event: undefined,
    credit: undefined,
    description: undefined,
  })[abilityRules[name]]

const limited = (Object.keys(abilityRules) as Ability[]).flatMap((name) => {
  const most = limitOf(name)
  return most === undefined ? [] : [{ name, most }]
})

const pairs: Sql = {
  text: `from accounts a join accounts u on u.id = a.parent_id
    where a.role_id in (${is.agent.text}, ${is.customerService.text}) and u.role_id = ${is.agent.text} and (${limited.map(({ name, most }) => `a.${name} <> ${most}`).join(' or ')})`,
  values: [],
}
const abilitiesNow: Sql = {
  text: limited.map(({ name, most }) => `'${name}', json_build_array(a.${name}, ${most})`).join(', '),
  values: [],
}

export type Excess = {
  id: number
  topId: number
  role: Role
  username: string
  upline: string
  /** Each excess ability with its value and the most allowed below the upline. */
  abilities: AuditFacts
}

/** The agents and customer service below `path` that have more abilities than the agent directly above them. */
export const findExcess = async (db: Db, path: string): Promise<Excess[]> => {
  const rows = await many<Omit<Excess, 'abilities'> & { all: Record<Ability, [number, number]> }>(
    db,
    sql`select a.id, a.top_id as "topId", a.role_id as role, a.username, u.username as upline,
        json_build_object(${abilitiesNow}) as all ${pairs}
        and ${inBranch(path)} order by string_to_array(a.path, '/')`,
  )
  return rows.map(({ all, ...row }) => ({
    ...row,
    abilities: Object.fromEntries(Object.entries(all).filter(([, [has, most]]) => has !== most)),
  }))
}

/** Reduces the abilities of accounts to the most they may have. */
const reduceToLimits = (tx: Tx, ids: number[]) => {
  const set: Sql = { text: limited.map(({ name, most }) => `${name} = ${most}`).join(', '), values: [] }
  return run(
    tx,
    sql`update accounts a set ${set} from accounts u
      where u.id = a.parent_id and u.role_id = ${is.agent} and a.role_id in (${is.agent}, ${is.customerService}) and a.id = any(${ids}::int[])`,
  )
}

type AuditSource = Parameters<typeof audit>[1]

/** Takes from everyone below `path` what the agent above does not have. Returns the accounts that lost something. */
export const takeExcess = async (tx: Tx, path: string, who: AuditSource, facts: AuditFacts = {}): Promise<Excess[]> => {
  const taken: Excess[] = []
  // Each level that loses an ability takes it from the level below.
  for (;;) {
    const level = await findExcess(tx, path)
    if (level.length === 0) return taken
    await reduceToLimits(
      tx,
      level.map(({ id }) => id),
    )
    for (const one of level) await audit(tx, who, 'abilities_changed', one, { ...one.abilities, ...facts })
    taken.push(...level)
  }
}

/** Gives a new account no more than the agent above has. */
export const limitToUpline = async (tx: Tx, { id, role }: { id: number; role: Role }): Promise<void> => {
  await reduceToLimits(tx, [id])
  if (role !== Role.agent) return
  await run(
    tx,
    sql`update accounts a set event_mode = greatest(a.event_mode, u.event_mode) from accounts u
      where u.id = a.parent_id and u.role_id = ${is.agent} and a.id = ${id}`,
  )
}

/**
 * Takes from a new account what its maker does not have, also where the account above it has more. An admin that sees
 * masked names could otherwise make an account that sees them, and sign in with it.
 */
export const limitToMaker = (tx: Tx, { id, makerId }: { id: number; makerId: number }): Promise<void> => {
  const most = limited.map(({ name, most }) =>
    abilityRules[name] === 'restriction' ? `${name} = greatest(a.${name}, u.${name})` : `${name} = ${most}`,
  )
  const set: Sql = { text: most.join(', '), values: [] }
  return run(tx, sql`update accounts a set ${set} from accounts u where u.id = ${makerId} and a.id = ${id}`)
}

/**
 * Locks the abilities below a top account until the end of the transaction. `change` also blocks making agents and
 * customer service: an account made, or given a right, while its agent loses that right would keep it.
 */
export const lockAbilities = (tx: Tx, topId: number, mode: 'change' | 'make'): Promise<void> =>
  run(
    tx,
    mode === 'change'
      ? sql`select pg_advisory_xact_lock(hashtext('abilities'), ${topId}::int)`
      : sql`select pg_advisory_xact_lock_shared(hashtext('abilities'), ${topId}::int)`,
  )
