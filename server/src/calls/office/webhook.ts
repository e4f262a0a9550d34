import type { Answer } from '@tallyroom/contract'
import type { webhookCalls } from '@tallyroom/contract/calls/office/webhook'
import { many, sql } from '../../data/sql.ts'
import type { Handlers } from '../handler.ts'
import { requireTop } from '../../identity/actor.ts'

type Delivery = Answer<'webhook/list'>['data'][number]

export const webhookHandlers = {
  'webhook/list': async ({ db, actor }) => {
    requireTop(actor)
    const rows = await many<Delivery>(
      db,
      sql`select event_id as id, kind, tries, last_answer, ${iso('created_at')}, ${iso('delivered_at')}, ${iso('due_at')}
        from webhooks where top_id = ${actor.topId} order by webhooks.id desc limit 100`,
    )
    return { data: rows }
  },
} satisfies Handlers<typeof webhookCalls>

const iso = (column: 'created_at' | 'delivered_at' | 'due_at') => ({
  text: `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as ${column}`,
  values: [],
})
