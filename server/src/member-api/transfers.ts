import type { MemberApi } from '@tallyroom/contract/member-api'
import type { z } from 'zod'
import { many, sql } from '../data/sql.ts'
import { historyPage } from '../ledger/read/history.ts'
import { asTransferRow } from '../ledger/read/transfer-row.ts'
import type { ApiCtx } from './context.ts'
import { below } from './named-account.ts'
import { platformViewer } from './platform-viewer.ts'

type Input = z.output<MemberApi['transfer/list']['request']>

export const transferHandlers = {
  'transfer/list': async (ctx: ApiCtx, { member, third_party_id, ...search }: Input) => {
    const { db } = ctx
    const viewer = await platformViewer(ctx)
    const isOne = member !== undefined || third_party_id !== undefined
    const member_id = isOne ? (await below(ctx, { username: member, third_party_id }, true)).id : undefined
    const { rows, ...found } = await historyPage(db, { ...viewer, timeZone: ctx.timesIn, onlyDecided: true }, 1, {
      ...search,
      member_id,
    })
    const own = await many<{ id: bigint; third_party_id: string | null; bet_id: string | null }>(
      db,
      sql`select t.id, a.third_party_id, t.bet_id from transfers t join accounts a on a.id = t.target_id
        where t.id = any(${rows.map(({ id }) => id)}::bigint[])`,
    )
    const ownOf = new Map(own.map(({ id, ...fields }) => [id, fields]))
    const none = { third_party_id: null, bet_id: null }
    return { ...found, data: rows.map((row) => ({ ...asTransferRow(row), ...(ownOf.get(row.id) ?? none) })) }
  },
}
