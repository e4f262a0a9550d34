import type { MemberApi } from '@tallyroom/contract/member-api'
import type { z } from 'zod'
import { closedPeriods, settlements } from '../calls/points/period/list.ts'
import { sr02Answer } from '../calls/points/report/sr02.ts'
import { settle } from '../calls/points/period.ts'
import { asSnapshot } from '../calls/points/statement/snapshot.ts'
import { statementPage, statementView } from '../calls/points/statement.ts'
import { many, sql } from '../data/sql.ts'
import { type Statement, statementOf } from '../ledger/read/statement.ts'
import { inOffice } from './accounts/in-office.ts'
import type { ApiCtx } from './context.ts'
import { type AccountName, below } from './named-account.ts'
import { platformViewer } from './platform-viewer.ts'

type Input<N extends keyof MemberApi> = z.output<MemberApi[N]['request']>

/** The number of the account that is asked about; without a name that of the top account. */
const askedId = async (ctx: ApiCtx, who: AccountName): Promise<number> =>
  who.username === undefined && who.third_party_id === undefined ? ctx.topId : (await below(ctx, who, true)).id

const statementFor = async (
  ctx: ApiCtx,
  { username, third_party_id, ...asked }: Input<'statement/view'>,
): Promise<Statement> => {
  const id = await askedId(ctx, { username, third_party_id })
  return statementOf(ctx.db, await platformViewer(ctx), { ...asked, id, username: '' })
}

/** Adds the platform's own ids to accounts that an answer names. */
const idAdder = async ({ db, topId }: ApiCtx, usernames: string[]) => {
  const rows = await many<{ username: string; third_party_id: string | null }>(
    db,
    sql`select username, third_party_id from accounts
      where top_id = ${topId} and lower(username) = any(${[...new Set(usernames.map((name) => name.toLowerCase()))]}::text[])`,
  )
  const ids = new Map(rows.map(({ username, third_party_id }) => [username, third_party_id]))
  return <T extends { username: string }>(account: T) => ({
    ...account,
    third_party_id: ids.get(account.username) ?? null,
  })
}

/** A page of rows of which one more than it has was read. */
const pageOf = <R extends { id: number }>(call: string, rows: R[], most: number) => {
  const data = rows.slice(0, most)
  const last = data.at(-1)
  return { data, next: rows.length > most && last ? `${call}-${last.id}` : null }
}

export const bookHandlers = {
  'statement/view': async (ctx: ApiCtx, asked: Input<'statement/view'>) => {
    await asSnapshot(ctx.db)
    const view = await statementView(ctx.db, await statementFor(ctx, asked))
    const names = view.held_lines.flatMap(({ account, member }) => [account.username, member.username])
    const withId = await idAdder(ctx, [view.account.username, view.upline.username, ...names])
    return {
      ...view,
      time_zone: ctx.services.settings.timeZone,
      account: withId(view.account),
      upline: withId(view.upline),
      held_lines: view.held_lines.map(({ account, member, ...line }) => ({
        ...line,
        account: withId(account),
        member: withId(member),
      })),
    }
  },

  'statement/lines': async (ctx: ApiCtx, { after, per_page, ...asked }: Input<'statement/lines'>) => {
    const page = await statementPage(ctx.db, await statementFor(ctx, asked), { limit: per_page, after })
    const withId = await idAdder(
      ctx,
      page.data.flatMap(({ account, other }) => [account.username, other.username]),
    )
    return {
      data: page.data.map(({ account, other, ...line }) => ({
        ...line,
        account: withId(account),
        other: withId(other),
      })),
      next: page.next === null ? null : `lines-${page.next}`,
    }
  },

  'sr02/view': async (ctx: ApiCtx, { username, third_party_id, after, per_page, ...asked }: Input<'sr02/view'>) => {
    const under = await askedId(ctx, { username, third_party_id })
    const report = await sr02Answer(ctx.db, await platformViewer(ctx), { ...asked, username: '', under })
    // Their order by names or sums could be another one on the next page; that by numbers stays.
    const rows = report.data.filter(({ id }) => id > Number(after ?? 0)).toSorted((one, other) => one.id - other.id)
    const { data, next } = pageOf('sr02', rows, per_page)
    const withId = await idAdder(
      ctx,
      data.map((row) => row.username),
    )
    return { ...report, cut: report.cut ?? false, data: data.map(withId), next }
  },

  'period/list': async (ctx: ApiCtx, { after, per_page }: Input<'period/list'>) => {
    const { data } = await closedPeriods(ctx.db, await platformViewer(ctx), { limit: per_page + 1, before: after })
    return pageOf('period', data, per_page)
  },

  'settlement/list': async (ctx: ApiCtx, { after, per_page }: Input<'settlement/list'>) => {
    const found = await settlements(ctx.db, await platformViewer(ctx), { limit: per_page + 1, before: after })
    const { data, next } = pageOf('settlement', found.data, per_page)
    const withId = await idAdder(
      ctx,
      data.map(({ downline }) => downline.username),
    )
    return { data: data.map((row) => ({ ...row, downline: withId(row.downline) })), next }
  },

  'settlement/settle': async (ctx: ApiCtx, { id, remark }: Input<'settlement/settle'>) => {
    await settle(await inOffice(ctx), ctx.topId, { id, remark })
    return { id, state: 'settled' as const }
  },
}
