import { screen, waitFor } from '@testing-library/react'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TransferKind, Role } from '@tallyroom/contract/codes'
import type { WordKey } from '@tallyroom/locales'
import { expect, test } from 'vitest'
import { t } from '../i18n/i18n.ts'
import { EditDialog } from '../features/account/edit-dialog.tsx'
import { PointsDialog } from '../features/points/points-dialog.tsx'
import { AskForPoints, useAsking } from '../member/points/ask-form.tsx'
import { ToGame } from '../member/points/to-game.tsx'
import { accountAbilities } from './ability-fixtures.ts'
import { accountRow, memberView, menuPage, offer, ownAccount, roomSummary } from './fixtures.ts'
import { ReceivingCard } from '../features/receiving/receiving-card.tsx'
import { server } from './fake-server.ts'
import { field, renderLight, renderOffice } from './render.tsx'

const close = () => {}
const points = () =>
  renderOffice(
    <PointsDialog
      room={roomSummary()}
      own={ownAccount({ flow_limit_modify_permission: 1 })}
      member={memberView({ offers: [offer(TransferKind.send)] })}
      onClose={close}
    />,
  )
const edit = async (section: 'ability.title' | 'limit.title') => {
  server.answers('userMenu/list', [menuPage('/agent', { may: ['user/abilities'] })])
  server.answers('user/abilities', accountAbilities({ changeable: ['limit_of_credit'] }))
  const none = { transfer: null, hour: null, day: null, member: null }
  const used = { hour: '0.0000', day: '0.0000' }
  const above = { ...none, transfer: { most: '20.0000', of: 'Dana' } }
  const limit = { type: TransferKind.send, ...none, effective: none, above, used } as const
  const ceiling = { envelope: null, day: null }
  server.answers('limit/view', { id: 20, username: 'mia01', limits: [limit], ceiling })
  const view = await renderOffice(
    <EditDialog row={accountRow({ role_id: Role.agent })} mayFreeze={false} onClose={close} />,
  )
  await view.user.click(await screen.findByText(t(section)))
  return view
}
const receiving = async () => {
  server.answers('receiving/list', { data: [] })
  const view = await renderOffice(<ReceivingCard />)
  await view.user.click(await screen.findByText(t('receiving.add')))
  return view
}
const Asking = () => <AskForPoints asking={useAsking()} onAsked={close} />

/** Every field that takes an amount: where it is in the source, how it is drawn, and its label. */
type Drawn = Pick<Awaited<ReturnType<typeof points>>, 'user'>
const fields: readonly (readonly [string, () => Drawn | Promise<Drawn>, WordKey])[] = [
  ['features/points/points-fields.tsx', points, 'transfer.amount'],
  ['features/points/points-fields.tsx', points, 'room.turnover'],
  ['features/account/abilities.tsx', () => edit('ability.title'), 'account.limit_of_credit'],
  ['features/account/limits.tsx', () => edit('limit.title'), 'limit.transfer'],
  ['features/receiving/receiving-card.tsx', receiving, 'receiving.day_limit'],
  ['member/points/ask-form.tsx', () => renderLight(<Asking />), 'cash.amount'],
  ['member/points/to-game.tsx', () => renderLight(<ToGame onMoved={close} />), 'member.to_game'],
]

const draw = async (...[, open, label]: (typeof fields)[number]) => {
  server.answers('user/view', ownAccount())
  server.answers('member/view', memberView())
  server.answers('user/path', { path: [] })
  server.answers('session/listOf', { data: [] })
  server.answers('cash/view', {
    enabled: 1,
    receiving: 0,
    pay_to: null,
    receiving_changed: null,
    needs_account: 0,
    balance: '280.5000',
    turnover_due: '0.0000',
    accounts: [],
    first_account: null,
    last: null,
    open: null,
  })
  const { user } = await open()
  const box = await waitFor(() => field(t(label)))
  await user.clear(box)
  return { user, box: () => field(t(label)) }
}
const described = (box: HTMLElement) =>
  (box.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ')

test.each(fields)(
  '[TEXT-01] %s %#: a typed comma is the point, and what may be two amounts is none',
  async (...one) => {
    const { user, box } = await draw(...one)
    await user.type(box(), '12,5')
    expect(box().value).toBe('12.5')
    await user.clear(box())
    await user.type(box(), '1,250.50')
    expect(box().value).toBe('1,250.50')
    await user.clear(box())
    await user.type(box(), '1,250')
    expect(box().getAttribute('aria-invalid')).toBe('true')
    expect(described(box())).toContain(t('amount.two_readings', { more: '1250', less: '1.25' }))
    await user.clear(box())
    await user.type(box(), '1e3')
    expect([box().value, box().getAttribute('aria-invalid')]).toEqual(['1e3', 'true'])
  },
)

test.each(fields)(
  '[TEXT-01] %s %#: a pasted text is one amount, or leaves the field as it was and says why',
  async (...one) => {
    const { user, box } = await draw(...one)
    const paste = async (text: string) => {
      box().focus()
      box().select()
      await user.paste(text)
      return box().value
    }
    expect(await paste('Rp 1.000.000')).toBe('1,000,000')
    expect(await paste('1 250,50')).toBe('1,250.50')
    for (const [text, why] of [
      ['deposit 500 THB on 28/11', t('amount.not_one')],
      ['500-1000', t('amount.not_one')],
      ['1e3', t('amount.not_one')],
      ['1.250', t('amount.two_readings', { more: '1250', less: '1.25' })],
      ['1.23456', t('amount.too_exact')],
    ] as const) {
      expect(await paste(text)).toBe('1,250.50')
      expect(described(box())).toContain(`${t('amount.not_pasted')} ${why}`)
    }
    expect(await paste('7')).toBe('7')
    expect(described(box())).not.toContain(t('amount.not_pasted'))
  },
)

test('[TEXT-01] every field for an amount is one of these', () => {
  const root = join(import.meta.dirname, '..')
  // The page of controls is part of no build.
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /(?<!\.test)\.tsx?$/.test(path) && path !== join('entries', 'controls-page.tsx'),
  )
  const sources = paths.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
  const used = sources.flatMap(([path, text]) => (text.match(/<Amount(Input|Box)\b/g) ?? []).map(() => path))
  expect(used.toSorted()).toEqual(fields.map(([path]) => path).toSorted())
  const keypads = sources.flatMap(([path, text]) => (/inputMode.*decimal/.test(text) ? [path] : []))
  expect(keypads, 'a field for an amount is an AmountInput or an AmountBox').toEqual(['ui/form/use-amount-field.ts'])
})
