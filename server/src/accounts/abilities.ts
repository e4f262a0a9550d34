import { type AbilityFlag, abilityFlags } from '@tallyroom/contract/calls/ability'
import { Role } from '@tallyroom/contract/codes'
import { audit, type AuditFacts } from '../identity/audit.ts'
import { type Db, many, run, type Sql, sql, type Tx } from '../data/sql.ts'

/** Everything about an account that its upline sets. */
export type Ability = AbilityFlag | 'transfer_member_flow_limit_multiple' | 'limit_of_credit' | 'unlimited'

/**
 * What "no more than the agent above" means for an ability:
 * - `right`: 1 only while the agent above has 1. Only who has it gives it.
 * - `restriction`: 1 takes something away. The agents below an agent that has 1 have 1; its customer service follows the group.
 * - `event`: a state of one group. A new agent begins in that of the agent above; who is in it cannot end it below.
 * - `turnover`: less turnover is more. Not below that of the agent above, unless that agent may change turnover.
 * - `credit`: points out of nothing, from an admin, the platform or the operator only, for one account by name.
 * - `description`: how the account is kept and shown; it permits nothing.
 */
type Rule = 'right' | 'restriction' | 'event' | 'turnover' | 'credit' | 'description'

/** Without its line here a new ability does not compile: an account could get more than the agent above it by it. */
export const abilityRules = {
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
  masks_usernames: 'restriction',
  transfer_member_flow_limit_multiple: 'turnover',
  limit_of_credit: 'credit',
  unlimited: 'credit',
} as const satisfies Record<Ability, Rule>

export const flagNames = Object.keys(abilityFlags) as AbilityFlag[]
/** Rights that only an account that has them gives. */
export const rights = flagNames.filter((name) => abilityRules[name] === 'right')

/** The most that an account `a` may have below the agent `u`, by the ability's rule; undefined: not compared. */
const mostOf = (name: Ability): string | undefined =>
  ({
    right: `least(a.${name}, u.${name})`,
    restriction: `case when a.role_id = 2 then greatest(a.${name}, u.${name}) else a.${name} end`,
    turnover: `case when u.flow_limit_modify_permission = 1 then a.${name} else greatest(a.${name}, u.${name}) end`,
    event: undefined,
    credit: undefined,
    description: undefined,
  })[abilityRules[name]]

const compared = (Object.keys(abilityRules) as Ability[]).flatMap((name) => {
  const most = mostOf(name)
  return most === undefined ? [] : [{ name, most }]
})

const pairs: Sql = {
  text: `from accounts a join accounts u on u.id = a.parent_id
    where a.role_id in (2, 3) and u.role_id = 2 and (${compared.map(({ name, most }) => `a.${name} <> ${most}`).join(' or ')})`,
  values: [],
}
const abilitiesNow: Sql = {
  text: compared.map(({ name, most }) => `'${name}', json_build_array(a.${name}, ${most})`).join(', '),
  values: [],
}

export type Excess = {
  id: number
  topId: number
  role: Role
  username: string
  upline: string
  /** What it has, and the most that it may have below its upline. */
  abilities: AuditFacts
}

/** The agents and customer service below `path` that can do more than the agent right above them. */
export const findExcess = async (db: Db, path: string): Promise<Excess[]> => {
  const rows = await many<Omit<Excess, 'abilities'> & { all: Record<Ability, [number, number]> }>(
    db,
    sql`select a.id, a.top_id as "topId", a.role_id as role, a.username, u.username as upline,
        json_build_object(${abilitiesNow}) as all ${pairs}
        and a.path >= ${path} and a.path < ${`${path.slice(0, -1)}0`} order by string_to_array(a.path, '/')`,
  )
  return rows.map(({ all, ...row }) => ({
    ...row,
    abilities: Object.fromEntries(Object.entries(all).filter(([, [has, most]]) => has !== most)),
  }))
}

/** Sets the abilities of accounts to the most that they may have. */
const cut = (tx: Tx, ids: number[]) => {
  const set: Sql = { text: compared.map(({ name, most }) => `${name} = ${most}`).join(', '), values: [] }
  return run(
    tx,
    sql`update accounts a set ${set} from accounts u
      where u.id = a.parent_id and u.role_id = 2 and a.role_id in (2, 3) and a.id = any(${ids}::int[])`,
  )
}

type Who = Parameters<typeof audit>[1]

/** Takes from everyone below `path` what the agent right above does not have, and gives back who has lost something. */
export const takeExcess = async (tx: Tx, path: string, who: Who, facts: AuditFacts = {}): Promise<Excess[]> => {
  const taken: Excess[] = []
  // What one level loses, the next one below must lose as well.
  for (;;) {
    const level = await findExcess(tx, path)
    if (level.length === 0) return taken
    await cut(
      tx,
      level.map(({ id }) => id),
    )
    for (const one of level) await audit(tx, who, 'abilities_changed', one, { ...one.abilities, ...facts })
    taken.push(...level)
  }
}

/** A new account has what the agent above has, and no more. */
export const beginWithin = async (tx: Tx, { id, role }: { id: number; role: Role }): Promise<void> => {
  await cut(tx, [id])
  if (role !== Role.agent) return
  await run(
    tx,
    sql`update accounts a set event_mode = greatest(a.event_mode, u.event_mode) from accounts u
      where u.id = a.parent_id and u.role_id = 2 and a.id = ${id}`,
  )
}

/**
 * Until the end of the transaction nobody's abilities change; `change`: nor is an agent or customer service made. Without it
 * an account that is made, or given a right, while its agent loses that right would keep it.
 */
export const holdAbilities = (tx: Tx, topId: number, way: 'change' | 'make'): Promise<void> =>
  run(
    tx,
    way === 'change'
      ? sql`select pg_advisory_xact_lock(hashtext('abilities'), ${topId}::int)`
      : sql`select pg_advisory_xact_lock_shared(hashtext('abilities'), ${topId}::int)`,
  )
