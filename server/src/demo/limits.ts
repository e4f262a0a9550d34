import { TransferKind } from '@tallyroom/contract/codes'
import type { Running } from '../start/serve.ts'
import { one, sql } from '../data/sql.ts'
import { demoClient } from './client.ts'

type Head = Awaited<ReturnType<typeof demoClient>>
type Staff = Record<'dana' | 'mika', { id: number }>

/** Dana approves what her customer service gives above 1,000; one such transfer to Gina waits, and one was refused. */
export const limitDana = async (running: Running, top: Head, { dana, mika }: Staff): Promise<void> => {
  await top.call('user/saveAbilities', { id: dana.id, may_approve: 1 })
  const head = await demoClient(running, dana.id, 'office')
  const limits = [{ type: TransferKind.send, transfer: '1000', hour: null, day: '10000', member: null }]
  await head.call('limit/save', { id: mika.id, limits })
  const gina = await one<{ id: number; code: string }>(
    running.services.db,
    sql`select a.id, r.code from accounts a join rooms r on r.partner_id = a.id and r.group_id = ${dana.id}
      where a.username = 'ginawong'`,
  )
  if (!gina) throw new Error('the demo needs the room of ginawong')
  const colleague = await demoClient(running, mika.id, 'office')
  const given = {
    member_id: gina.id,
    code: gina.code,
    type: TransferKind.send,
    amount: '1500',
    remark: 'November draw',
  }
  await colleague.call('transaction/add', { ...given, amount: '1200', reason: 'Second prize of the draw' })
  const [wrong] = (await head.call('approval/list', {})).data
  await head.call('approval/refuse', { id: wrong?.id ?? 0, reason: 'The list says first prize: 1,500.' })
  await colleague.call('transaction/add', { ...given, reason: 'Won the November draw, list of 20 Nov' })
}

/** Credit is raised by two admins: Erin has raised Quinn's, and the top account is to approve it. */
export const raiseCredit = async (
  running: Running,
  top: Head,
  { erin, quinn }: Record<'erin' | 'quinn', { id: number }>,
): Promise<void> => {
  await top.call('change/saveRules', { kinds: ['credit'] })
  const second = await demoClient(running, erin.id, 'office')
  await second.call('user/saveAbilities', { id: quinn.id, limit_of_credit: '20000' })
}
