import { expect, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { TransferKind } from '@tallyroom/contract/codes'
import { startTestServer } from '../../testing/app.ts'

const server = await startTestServer()

const around = () => {
  const at = (shift: number) => new Date(Date.now() + shift).toISOString().slice(0, 19).replace('T', ' ')
  return { start_time: at(-3_600_000), end_time: at(3_600_000) }
}

/** One transfer of each kind with the same member, the oldest first. */
const everyKind = async () => {
  const { top, agent, cs, member } = await server.family()
  for (const { id } of [agent, cs]) await top.call('user/saveAbilities', { id, deduct_point_button_visible: 1 })
  await top.call('user/saveAbilities', { id: member.id, is_multiple_wallet: 1 })
  for (const type of [
    TransferKind.send,
    TransferKind.receive,
    TransferKind.gift,
    TransferKind.makeUp,
    TransferKind.gameSend,
    TransferKind.gameDeduct,
  ] as const)
    await cs.call('transaction/add', {
      member_id: member.id,
      type,
      amount: type === TransferKind.send ? '50' : '1',
      remark: `of ${type}`,
    })
  await member.call('wallet/toGame', { amount: '2' })
  const played = { topId: top.id, memberId: member.id, amount: 10_000n, betId: randomUUID() }
  await server.services.ledger.bet(played)
  await server.services.ledger.win(played)
  const voided = { ...played, betId: randomUUID() }
  await server.services.ledger.bet(voided)
  await server.services.ledger.voidBet(voided)
  const { data } = await agent.call('transaction/list', { ...around(), username: member.username, per_page: 50 })
  const correctable = data.filter(({ type }) => type === TransferKind.send || type === TransferKind.receive)
  for (const { transaction_id } of correctable)
    await top.call('transaction/correct', { transaction_id, remark: 'by mistake' })
  return { agent, cs, member }
}

test('[CONV-15] a file of transfers says of every kind whether the points come in or go out for the member', async () => {
  const { agent, member } = await everyKind()
  const { csv } = await agent.call('transaction/export', { ...around(), username: member.username, kind: 1 })
  const [heads = [], ...rows] = csv
    .trim()
    .split(/\r?\n/)
    .map((line) =>
      line
        .replaceAll('"', '')
        .replace(/^\uFEFF/, '')
        .split(','),
    )
  const cell = (row: string[], name: string) => row[heads.indexOf(name)] ?? ''
  expect(rows.map((row) => [cell(row, 'Type'), cell(row, 'Direction')]).reverse()).toEqual([
    ['Transfer in', 'In'],
    ['Transfer out', 'Out'],
    ['Gift', 'In'],
    ['Compensation', 'In'],
    ['Game wallet in', 'In'],
    ['Game wallet deduction', 'Out'],
    ['Main to game wallet', ''],
    ['Bet', 'Out'],
    ['Win', 'In'],
    ['Bet', 'Out'],
    ['Voided bet', 'In'],
    ['Correction', 'In'],
    ['Correction', 'Out'],
  ])
})

test('[CONV-15] [HIST-03] a deduction from the game wallet was received by the group, not sent', async () => {
  const { agent, member } = await everyKind()
  const record = async (who: typeof agent) =>
    Object.fromEntries(
      (await who.call('redEnvelope/record', { ...around(), username: '' })).data.map(({ remark, type }) => [
        remark,
        type,
      ]),
    )
  expect(await record(agent)).toEqual({ 'of 1': 1, 'of 2': 2, 'of 3': 1, 'of 4': 1, 'of 5': 1, 'of 6': 2 })
  expect(await record(member)).toEqual({ 'of 1': 2, 'of 2': 1, 'of 3': 2, 'of 4': 2, 'of 5': 2, 'of 6': 1 })
})
