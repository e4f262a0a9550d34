import type { Answer, Parsed } from '@tallyroom/contract'
import { type AbilityFlag, abilityFlags } from '@tallyroom/contract/ability-flags'
import type { abilityCalls } from '@tallyroom/contract/calls/accounts/ability'
import { formatPoints, parsePoints } from '@tallyroom/contract/points'
import { lockAbilities, rights, takeExcess } from '../../accounts/abilities.ts'
import { ensureAsShown, type SensitiveChange, waitsForApproval } from '../../accounts/sensitive-changes.ts'
import { type Actor, groupAccounts, masksNames, visibleAccounts } from '../../identity/actor.ts'
import { isOffice, isOperator, Role, WalletKind } from '@tallyroom/contract/codes'
import { audit, type AuditFacts, differencesOf } from '../../identity/audit.ts'
import { type Db, one, run, type Sql, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import type { Ctx, Handlers, ReadCtx } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { lockWallets } from '../../ledger/engine/wallet-locks.ts'
import { shownUsername } from '../../identity/masking.ts'
import { mayAct } from '../../identity/policy.ts'

type Flags = Record<AbilityFlag, 0 | 1>
type Row = Flags & {
  id: number
  topId: number
  parentId: number
  path: string
  role: Role
  username: string
  isFunded: boolean
  transfer_member_flow_limit_multiple: number
  floor: bigint | null
}

const columns: Sql = {
  text: `a.id, a.top_id as "topId", a.parent_id as "parentId", a.path, a.role_id as role, a.username, a.is_funded as "isFunded",
    ${abilityFlags.map((name) => `a.${name}`).join(', ')}, a.transfer_member_flow_limit_multiple`,
  values: [],
}
const floorOf = sql`(select floor from wallets where account_id = a.id and kind = ${is.mainWallet}) as floor`

const rowOf = (db: Db, condition: Sql, lock = sql``) =>
  one<Row>(db, sql`select ${columns}, ${floorOf} from accounts a where ${condition} ${lock}`)

const flagsOf = (row: Row) => Object.fromEntries(abilityFlags.map((name) => [name, row[name]])) as Flags

/** An account of the downline that the actor may edit, but not the actor itself. */
const editableBelow = async ({ db, actor }: Pick<ReadCtx, 'db' | 'actor'>, id: number, lock?: Sql): Promise<Row> => {
  if (id === actor.id) return refuse('account.not_yourself')
  const row = ensure(
    await rowOf(db, sql`a.id = ${id} and not a.is_key and ${visibleAccounts(actor)}`, lock),
    'account.not_found',
  )
  return mayAct(actor, 'user/saveAbilities', row.role) ? row : refuse('access.denied')
}

const hasCredit = (row: Row) => isOperator(row.role) || (row.role === Role.customerService && row.isFunded)

/** The abilities that an actor may change for an account. How far is decided by `checkGift`. */
const changeable = (actor: Actor, row: Row): string[] => [
  ...abilityFlags.filter((name) => !(actor.masks && (name === 'is_sub' || name === 'masks_usernames'))),
  'transfer_member_flow_limit_multiple',
  ...(hasCredit(row) ? ['limit_of_credit', ...(actor.role === Role.admin ? ['unlimited'] : [])] : []),
]

const asAbilities = (actor: Actor, row: Row): Answer<'user/abilities'> => {
  const { id, role, username, is_sub: isSub, floor } = row
  return {
    ...flagsOf(row),
    transfer_member_flow_limit_multiple: row.transfer_member_flow_limit_multiple,
    id,
    role_id: role,
    username: shownUsername(actor, { id, username, isSub }),
    limit_of_credit: floor === null ? '-1' : formatPoints(-floor),
    unlimited: floor === null,
    changeable: changeable(actor, row),
  }
}

type NewAbilities = Omit<Parsed<'user/saveAbilities'>, 'id'>

/**
 * Refuses abilities that the giver does not have, or that the agent above the account does not have: an agent can set
 * the password of an account below it, so any right there would be its own. For admins the first check only concerns
 * masked usernames.
 */
const checkGift = async ({ db, actor }: Ctx, row: Row, abilities: NewAbilities): Promise<void> => {
  const unmasks = abilities.masks_usernames === 0 && row.masks_usernames === 1
  if (actor.masks && (unmasks || (abilities.is_sub !== undefined && abilities.is_sub !== row.is_sub)))
    return refuse('account.not_yours_to_give')
  if (actor.role === Role.agent) {
    const own = ensure(await rowOf(db, sql`a.id = ${actor.id}`), 'account.not_found')
    const endsEvent = abilities.event_mode === 0 && row.event_mode === 1 && own.event_mode === 1
    if (endsEvent || exceeds(own, row, abilities)) return refuse('account.not_yours_to_give')
  }
  const upline = await rowOf(db, sql`a.id = ${row.parentId} and a.role_id = ${is.agent}`)
  if (!upline || row.role === Role.member) return
  const keepsMask = unmasks && row.role === Role.agent && upline.masks_usernames === 1
  if (keepsMask || exceeds(upline, row, abilities)) return refuse('account.upline_has_not')
}

/** Whether the changes give `row` something that `giver` does not have. */
const exceeds = (giver: Row, row: Row, abilities: NewAbilities): boolean => {
  if (rights.some((name) => abilities[name] === 1 && row[name] === 0 && giver[name] === 0)) return true
  const { transfer_member_flow_limit_multiple: multiple } = abilities
  return (
    giver.flow_limit_modify_permission === 0 &&
    multiple !== undefined &&
    multiple < Math.min(row.transfer_member_flow_limit_multiple, giver.transfer_member_flow_limit_multiple)
  )
}

/** The new floor; undefined when it does not change. Credit comes from admins: an agent can only lower a limit. */
const newFloor = (actor: Actor, row: Row, { limit_of_credit, unlimited }: NewAbilities): bigint | null | undefined => {
  const requested = unlimited === true ? null : limit_of_credit === undefined ? undefined : -limit_of_credit
  const floor = requested === undefined && unlimited === false && row.floor === null ? 0n : requested
  if (floor === undefined || floor === row.floor) return undefined
  if (!hasCredit(row)) return refuse('account.has_no_credit')
  if (actor.role !== Role.admin && (raisesCredit(row, floor) || row.floor === null))
    return refuse('account.not_yours_to_give')
  return floor
}

/** Under the lock of the wallets: no transfer may be decided by the old limit after this has committed. */
const changeWallets = async ({ db }: Ctx, row: Row, floor: bigint | null | undefined, abilities: NewAbilities) => {
  const multiple = abilities.is_multiple_wallet
  if (floor === undefined && (multiple === undefined || multiple === row.is_multiple_wallet)) return
  const wallets = await lockWallets(db, sql`array[${row.id}::int]`)
  const main = ensure(
    wallets.find(({ kind }) => kind === WalletKind.main),
    'account.not_found',
  )
  const game = wallets.find(({ kind }) => kind === WalletKind.game)
  if (floor !== undefined) {
    if (floor !== null && main.balance < floor)
      return refuse('account.below_credit', { balance: formatPoints(main.balance) })
    await run(db, sql`update wallets set floor = ${floor} where id = ${main.id}`)
  }
  if (multiple === 0 && game && game.balance !== 0n) return refuse('account.game_wallet_in_use')
  if (multiple === 1 && !game)
    await run(
      db,
      sql`insert into wallets (top_id, account_id, kind) values (${row.topId}, ${row.id}, ${WalletKind.game})`,
    )
}

/** The changes that give a right: an ability, names in full, or less turnover. Members have no rights. */
const givenRights = (row: Row, abilities: NewAbilities): string[] => {
  if (!isOffice(row.role)) return []
  const { masks_usernames, transfer_member_flow_limit_multiple: multiple } = abilities
  return [
    ...rights.filter((name) => abilities[name] === 1 && row[name] === 0),
    ...(masks_usernames === 0 && row.masks_usernames === 1 ? ['masks_usernames'] : []),
    ...(multiple !== undefined && multiple < row.transfer_member_flow_limit_multiple
      ? ['transfer_member_flow_limit_multiple']
      : []),
  ]
}

const raisesCredit = (row: Row, floor: bigint | null) => floor === null || (row.floor !== null && floor < row.floor)
const creditText = (floor: bigint | null) => (floor === null ? 'unlimited' : formatPoints(-floor))
const creditFacts = (before: bigint | null, after: bigint | null): AuditFacts => ({
  limit_of_credit: [creditText(before), creditText(after)],
})

/** A raised credit limit that waits for approval. A floor of null is unlimited. */
export const raisedCredit = (
  target: SensitiveChange['target'],
  { before, after }: { before: bigint | null; after: bigint | null },
): SensitiveChange => ({
  kind: 'credit',
  call: 'user/saveAbilities',
  input: { id: target.id, ...(after === null ? { unlimited: true } : { limit_of_credit: formatPoints(-after) }) },
  target,
  facts: creditFacts(before, after),
})

const picked = <T extends object>(all: T, names: string[]): Partial<T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))) as Partial<T>

type Saving = { abilities: NewAbilities; floor: bigint | null | undefined; waits: boolean }

/** Leaves out what a second account has to approve first: rights that are given, and credit that is raised. */
const withoutSensitive = async (ctx: Ctx, row: Row, { abilities, floor }: Omit<Saving, 'waits'>): Promise<Saving> => {
  const call = 'user/saveAbilities'
  const given = givenRights(row, abilities)
  const { limit_of_credit: _l, unlimited: _u, ...flags } = abilities
  const input = { id: row.id, ...picked(flags, given) }
  const facts = differencesOf(numbersOf(row), picked(flags, given))
  const rightsWait =
    given.length > 0 &&
    (await waitsForApproval(ctx, { kind: 'rights', call, input, target: row, subject: 'abilities', facts }))
  const creditWaits =
    floor !== undefined &&
    raisesCredit(row, floor) &&
    (await waitsForApproval(ctx, raisedCredit(row, { before: row.floor, after: floor })))
  const kept = rightsWait ? Object.keys(abilities).filter((name) => !given.includes(name)) : Object.keys(abilities)
  return {
    abilities: picked(abilities, kept),
    floor: creditWaits ? undefined : floor,
    waits: rightsWait || creditWaits,
  }
}

const numbersOf = (row: Row): Record<string, number> => ({
  ...flagsOf(row),
  transfer_member_flow_limit_multiple: row.transfer_member_flow_limit_multiple,
})

/** The abilities of an account of the downline. */
export const viewAbilities = async (ctx: Pick<ReadCtx, 'db' | 'actor'>, id: number) =>
  asAbilities(ctx.actor, await editableBelow(ctx, id))

export const abilityHandlers = {
  'user/abilities': (ctx, { id }) => viewAbilities(ctx, id),

  'user/saveAbilities': (ctx, { id, ...abilities }) => saveAbilities(ctx, id, abilities),
} satisfies Handlers<typeof abilityCalls>

/** Makes abilities or credit that were approved, as `shown`. */
export const makeAbilities = (ctx: Ctx, { id, ...abilities }: StoredAbilities, shown: AuditFacts) => {
  const { limit_of_credit, ...rest } = abilities
  const credit = limit_of_credit === undefined ? {} : { limit_of_credit: parsePoints(limit_of_credit) }
  return saveAbilities(ctx, id, { ...rest, ...credit }, shown)
}
type StoredAbilities = Omit<NewAbilities, 'limit_of_credit'> & { id: number; limit_of_credit?: string }

const saveAbilities = async (ctx: Ctx, id: number, wanted: NewAbilities, shown?: AuditFacts) => {
  const { db, actor } = ctx
  await lockAbilities(db, actor.topId, 'change')
  const row = await editableBelow(ctx, id, sql`for no key update`)
  await checkGift(ctx, row, wanted)
  const asked = { abilities: wanted, floor: newFloor(actor, row, wanted) }
  const { abilities, floor, waits } = shown ? { ...asked, waits: false } : await withoutSensitive(ctx, row, asked)
  await changeWallets(ctx, row, floor, abilities)
  const { limit_of_credit: _l, unlimited: _u, ...flags } = abilities
  const flagDifferences = differencesOf(numbersOf(row), flags)
  const facts = { ...flagDifferences, ...(floor === undefined ? {} : creditFacts(row.floor, floor)) }
  if (shown) ensureAsShown(shown, facts)
  await storeFlags(db, id, flags, Object.keys(flagDifferences))
  if (Object.keys(facts).length) await audit(db, ctx, 'abilities_changed', row, facts)
  // The downline of an agent loses what the agent loses: it could sign in there with a password that it sets.
  const lost = row.role === Role.agent && Object.keys(flagDifferences).length ? await takeExcess(db, row.path, ctx) : []
  await notifyAfterCommit(ctx, [row, ...lost], 'masks_usernames' in flagDifferences || lost.length > 0)
  const after = asAbilities(actor, ensure(await rowOf(db, sql`a.id = ${id}`), 'account.not_found'))
  return { ...after, ...(waits ? { approval: 1 as const } : {}) }
}

const storeFlags = async (db: Db, id: number, flags: Record<string, unknown>, names: string[]): Promise<void> => {
  if (names.length === 0) return
  const assignments: Sql = {
    text: names.map((name, at) => `${name} = $${at + 1}`).join(', '),
    values: names.map((name) => flags[name]),
  }
  await run(db, sql`update accounts set ${assignments} where id = ${id}`)
}

/**
 * The accounts and their groups' customer service reload their rights, and their sockets switch to masked or plain
 * names.
 */
const notifyAfterCommit = async ({ db, services }: Ctx, changed: { id: number; role: Role }[], mayMask: boolean) => {
  const groups = await Promise.all(
    changed.filter(({ role }) => isOperator(role)).map(({ id }) => groupAccounts(db, id)),
  )
  const people = [...new Set([...changed.map(({ id }) => id), ...groups.flat()])]
  const masking = mayMask ? await masksNames(db, people) : []
  db.afterCommit(() => {
    for (const isMasked of [true, false])
      services.hub.maskNames(
        masking.filter((one) => one.masks === isMasked).map(({ id }) => id),
        isMasked,
      )
    for (const id of people) services.hub.notify(id, 'account', { account_id: id })
  })
}
