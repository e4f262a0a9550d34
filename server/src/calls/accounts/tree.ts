import type { TreePart, TreeRow, treeCalls } from '@tallyroom/contract/calls/accounts/tree'
import { fitsBelow, Role } from '@tallyroom/contract/codes'
import type { z } from 'zod'
import { type AccountColumns, accountColumns, accountTables, asAccountRow, namesOf } from '../../accounts/accounts.ts'
import { addByForm, headBelow } from '../../accounts/add-by-form.ts'
import { moveAccount, previewMove } from '../../accounts/move.ts'
import { refuseByToken } from '../../accounts/sensitive-changes.ts'
import { type Db, type LeftJoined, many, one, type Sql, sql } from '../../data/sql.ts'
import { type Actor, idsOfPath, visibleAccounts } from '../../identity/actor.ts'
import type { AuditFacts } from '../../identity/audit.ts'
import { nameRank, nicknameFits, usernameFits } from '../../identity/masking.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import type { Ctx, Handlers } from '../handler.ts'

/** The most names that a search of the tree returns. */
const FOUND = 20

export const treeHandlers = {
  'tree/view': async ({ db, actor }) => {
    const [row] = await treeRows(db, actor, { where: sql`a.id = ${actor.id}` })
    const depth = await one<{ levels: number }>(
      db,
      sql`select coalesce(max(${slashes(sql`a.path`)}), 0) - ${slashes(sql`${actor.path}::text`)} + 1 as levels
        from accounts a where ${visibleAccounts(actor)}`,
    )
    return { row: ensure(row, 'account.not_found'), levels: depth?.levels ?? 1 }
  },

  'tree/list': async ({ db, actor }, { parent_id, part, from, count }) => {
    await ensureVisible(db, actor, parent_id)
    const where = sql`a.parent_id = ${parent_id} and ${inPart[part]} and ${visibleAccounts(actor)}`
    const data = await treeRows(db, actor, { where, page: sql`limit ${count} offset ${from}` })
    const counted = await one<{ n: number }>(db, sql`select count(*)::int as n from accounts a where ${where}`)
    return { data, total: counted?.n ?? 0 }
  },

  'tree/path': async ({ db, actor }, { id }) => {
    const { path } = await ensureVisible(db, actor, id)
    const ids = idsOfPath(path)
    const where = sql`a.id = any(${ids}::int[]) and ${visibleAccounts(actor)}`
    const rows = await treeRows(db, actor, { where, order: sql`length(a.path)` })
    const indexes = await many<{ id: number; at: number }>(
      db,
      sql`select a.id, (select count(*)::int from accounts b where b.parent_id = a.parent_id and b.id <> a.id
            and case when a.role_id = ${Role.member} then b.role_id = a.role_id and b.id < a.id
              else b.role_id between 1 and 3 and not b.is_key and (b.role_id > a.role_id or (b.role_id = a.role_id and b.id < a.id)) end) as at
        from accounts a where ${where}`,
    )
    const at = new Map(indexes.map((row) => [row.id, row.at]))
    return {
      path: rows.map((row) => ({
        row,
        part: row.role_id === Role.member ? ('members' as const) : ('team' as const),
        // Above the caller there is no list: it is alone at the top.
        at: row.id === actor.id ? 0 : (at.get(row.id) ?? 0),
      })),
    }
  },

  'tree/find': async ({ db, actor }, { text }) => {
    const rows = await many<FoundRow>(
      db,
      sql`select a.id, a.role_id, a.username, a.nickname, a.is_sub, a.status,
          u.id as upline_id, u.username as upline_username, u.nickname as upline_nickname, u.is_sub as upline_is_sub
        from accounts a left join accounts u on u.id = a.parent_id and a.id <> ${actor.id}
        where ${visibleAccounts(actor)} and not a.is_key and (${usernameFits(actor, sql`a.username`, text)}
          or ${nicknameFits(actor, sql`a.nickname_folded`, sql`a.username`, text)})
        order by ${nameRank(actor, text)}, a.role_id = ${Role.member}, a.id limit ${FOUND}`,
    )
    return {
      data: rows.map((row) => ({
        id: row.id,
        role_id: row.role_id,
        status: row.status,
        ...namesOf(row, actor),
        upline: uplineOf(row, actor),
      })),
    }
  },

  'tree/add': {
    batched: async (ctx, { parent_id, role_id: role, ...input }) => {
      // The top account could otherwise make an admin in the name of another one, and approve its own changes as that.
      if (role === Role.admin) refuseByToken(ctx.actor)
      const parent = await headBelow(ctx.db, ctx.actor, parent_id)
      if (!fitsBelow(role, parent.role)) return refuse('account.wrong_place')
      return addByForm(ctx, input, { call: 'tree/add', role, parent })
    },
  },

  'tree/previewMove': ({ db, actor }, { id, to_id }) => previewMove(db, actor, id, to_id),

  'tree/move': async (ctx, move) => ((await moveAccount(ctx.db, ctx, move)) ? { approval: 1 as const } : null),
} satisfies Handlers<typeof treeCalls>

/** Makes a move that was approved, as `shown`. */
export const makeMove = (ctx: Ctx, move: { id: number; to_id: number }, shown: AuditFacts) =>
  moveAccount(ctx.db, ctx, move, shown)

/** How deep a path is. */
const slashes = (path: Sql): Sql => sql`(length(${path}) - length(replace(${path}, '/', '')))`

const inPart: Record<TreePart, Sql> = {
  team: sql`a.role_id between 1 and 3 and not a.is_key`,
  members: sql`a.role_id = ${Role.member}`,
}

/** Customer service before agents, as it belongs to the account itself. `at` of a path counts by the same order. */
const inTree = sql`a.role_id = ${Role.member}, a.role_id desc, a.id`

const ensureVisible = async (db: Db, actor: Actor, id: number): Promise<{ path: string }> =>
  ensure(
    await one<{ path: string }>(
      db,
      sql`select a.path from accounts a where a.id = ${id} and not a.is_key and ${visibleAccounts(actor)}`,
    ),
    'account.not_found',
  )

type Counts = { team: number; members: number; below: number }
type Wanted = { where: Sql; order?: Sql; page?: Sql }

/** The page is chosen first: what is below an account is counted for the rows of the answer only. */
const treeRows = async (db: Db, actor: Actor, wanted: Wanted): Promise<z.output<typeof TreeRow>[]> => {
  const { where, order = inTree, page = sql`` } = wanted
  const rows = await many<AccountColumns & Counts>(
    db,
    sql`with page as materialized (select a.id, row_number() over (order by ${order}) as place from accounts a
          where ${where} order by ${order} ${page})
      select ${accountColumns},
        (select count(*)::int from accounts b where b.parent_id = a.id and b.role_id between 1 and 3 and not b.is_key) as team,
        (select count(*)::int from accounts b where b.parent_id = a.id and b.role_id = ${Role.member}) as members,
        (select count(*)::int from accounts b where b.path > a.path
          and b.path < left(a.path, -1) || '0')
          - (select count(distinct k.actor_id)::int from api_keys k where k.top_id = a.id) as below
      from page join ${accountTables} on a.id = page.id order by page.place`,
  )
  return rows.map((row) => {
    const { team, members, below } = row
    // The fields of a list that the tree does not have are dropped with the answer's schema.
    return { ...asAccountRow(row, actor), team, members, below }
  })
}

type FoundRow = Pick<AccountColumns, 'id' | 'role_id' | 'username' | 'nickname' | 'is_sub' | 'status'> &
  LeftJoined<{ upline_id: number; upline_username: string; upline_nickname: string; upline_is_sub: 0 | 1 }>

const uplineOf = (row: FoundRow, actor: Actor): string => {
  if (row.upline_id === null) return ''
  const { username, nickname } = namesOf(
    { id: row.upline_id, username: row.upline_username, nickname: row.upline_nickname, is_sub: row.upline_is_sub },
    actor,
  )
  return nickname || username
}
