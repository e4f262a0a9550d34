import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { menuPage } from '../../testing/fixtures.ts'
import { button, field, fill, renderOffice } from '../../testing/render.tsx'
import { daysOfPreset } from '../form/range.ts'
import type { FilterField } from './fields.ts'
import { FilterBar } from './filter-bar.tsx'
import { ListViews } from './list-views.tsx'
import { useFilters } from './use-filters.ts'

const FIELDS: readonly FilterField[] = [
  { kind: 'text', key: 'name', label: 'Name', inline: true },
  {
    kind: 'choice',
    key: 'type',
    label: 'List',
    isSwitch: true,
    options: [
      { value: '1', label: 'Transfers' },
      { value: '2', label: 'Envelopes' },
    ],
  },
  { kind: 'period', key: 'time', label: 'Period', fallback: 'today' },
  { kind: 'text', key: 'remark', label: 'Remark' },
  { kind: 'amounts', key: 'amount', label: 'Amount' },
  {
    kind: 'choice',
    key: 'status',
    label: 'Status',
    options: [
      { value: '1', label: 'Success' },
      { value: '4', label: 'Pending' },
    ],
  },
  {
    kind: 'choices',
    key: 'kind',
    label: 'Kind',
    options: ['Deposit', 'Gift', 'Bet'].map((label) => ({ value: label.toLowerCase(), label })),
  },
  { kind: 'given', key: 'operator', label: 'Operator', shown: 'Only for Mika' },
]
const KEYS = FIELDS.map(({ key }) => key)

const asked = vi.fn<() => void>()
const Page = ({ busy = false }: { busy?: boolean }) => {
  const filters = useFilters(KEYS)
  return (
    <>
      <ListViews list="history" filters={filters} />
      <FilterBar fields={FIELDS} filters={filters} onAgain={asked} busy={busy} />
      <output>{JSON.stringify(filters.values)}</output>
    </>
  )
}
const open = async (address = '/list', saved: object[] = []) => {
  server.answers('listView/list', { data: saved as never })
  return renderOffice(<Page />, { path: '/list', address })
}
/** One button has all filters that are not set. */
const addFilter = async (user: Awaited<ReturnType<typeof open>>['user'], name: string) => {
  await user.click(button(t('filter.add')))
  await user.click(button(name))
}
const values = () => JSON.parse(document.querySelector('output')?.textContent ?? '') as object
const addressOf = (view: Awaited<ReturnType<typeof open>>) => view.router.state.location.searchStr

afterEach(() => asked.mockClear())

test('[FIND-02] a link opens the list with its filters, each a chip that removes it', async () => {
  const view = await open('/list?name=gina&amount=100-500&status=4&kind=gift,bet&operator=7&time=yesterday')
  expect(field('Name').value).toBe('gina')
  for (const name of ['Amount 100 – 500', 'Status Pending', 'Kind Gift, Bet']) expect(button(name)).toBeTruthy()
  expect(screen.getByText('Only for Mika')).toBeTruthy()
  expect(button(t('time.yesterday')).getAttribute('aria-pressed')).toBe('true')
  window.dispatchEvent(new Event('beforeprint'))
  const said = [
    'Name: gina',
    daysOfPreset('yesterday').start,
    'Amount: 100 – 500',
    'Status: Pending',
    'Kind: Gift, Bet',
  ]
  expect(document.querySelector('.filters-printed')?.textContent).toBe([...said, 'Only for Mika'].join(' · '))
  window.dispatchEvent(new Event('afterprint'))
  await view.user.click(button(t('filter.remove', { name: 'Status' })))
  expect(values()).toEqual({ name: 'gina', amount: '100-500', kind: 'gift,bet', operator: '7', time: 'yesterday' })
  expect(addressOf(view)).not.toContain('status')
  expect(document.activeElement).toBe(button(t('filter.add')))
  await view.user.click(button(t('filter.clear')))
  expect(values()).toEqual({})
})

test('[FIND-02] what is chosen goes into the address at once, with what was typed, and "back" takes it back', async () => {
  const view = await open()
  await fill(view.user, 'Name', ' gina ')
  expect(values()).toEqual({})
  await addFilter(view.user, 'Status')
  await view.user.click(button('Pending'))
  expect(values()).toEqual({ name: 'gina', status: '4' })
  expect(screen.queryByRole('dialog')).toBeNull()
  await addFilter(view.user, 'Kind')
  await view.user.click(screen.getByRole('checkbox', { name: 'Gift' }))
  await view.user.click(screen.getByRole('checkbox', { name: 'Bet' }))
  expect(values()).toEqual({ name: 'gina', status: '4', kind: 'gift,bet' })
  act(() => view.router.history.back())
  await waitFor(() => expect(values()).toEqual({ name: 'gina', status: '4', kind: 'gift' }))
})

test('[FIND-02] one amount means exactly that, and the field says what it understands', async () => {
  const { user } = await open()
  await addFilter(user, 'Amount')
  const hint = () => field('Amount').parentElement?.nextElementSibling?.textContent
  expect(hint()).toBe(t('filter.amount_help'))
  await fill(user, 'Amount', '1,250.')
  expect(hint()).toBe(t('filter.exactly', { amount: '1,250' }))
  await user.keyboard('{Enter}')
  expect(values()).toEqual({ amount: '1250-1250' })
  await user.click(button('Amount 1,250'))
  expect(field('Amount').value).toBe('1250')
  await fill(user, 'Amount', '>500')
  expect(hint()).toBe(t('filter.at_least', { amount: '500' }))
  await user.click(button(t('filter.apply')))
  expect(values()).toEqual({ amount: '500-' })
  await user.click(button('Amount at least 500'))
  expect(field('Amount').value).toBe('≥500')

  // What it does not understand is not searched for, and does not take back what is set.
  await fill(user, 'Amount', '5k')
  expect(hint()).toBe(t('filter.amount_help'))
  await user.keyboard('{Enter}')
  await user.click(button(t('filter.apply')))
  expect(field('Amount').getAttribute('aria-invalid')).toBe('true')
  expect(values()).toEqual({ amount: '500-' })
  await fill(user, 'Amount', '2000 – 500')
  await user.keyboard('{Enter}')
  expect(values()).toEqual({ amount: '500-2000' })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('[FIND-02] presets stay words in the address, own dates are dates, and the usual one is nothing', async () => {
  const { user } = await open('/list?time=2026-11-01..2026-11-03')
  expect(button(`${t('filter.dates')}: 11-01 – 11-03`).getAttribute('aria-pressed')).toBe('true')
  await user.click(button(t('range.month')))
  expect(values()).toEqual({ time: 'month' })
  await user.click(button(t('time.today')))
  expect(values()).toEqual({})
  expect(button(t('time.today')).getAttribute('aria-pressed')).toBe('true')
})

test('[FIND-02] the switch says which list it is: clearing the filters keeps it', async () => {
  const { user } = await open('/list?status=1')
  await user.click(screen.getByRole('radio', { name: 'Envelopes' }))
  expect(values()).toEqual({ type: '2', status: '1' })
  await user.click(button(t('filter.clear')))
  expect(values()).toEqual({ type: '2' })
  await user.click(screen.getByRole('radio', { name: 'Transfers' }))
  expect(values()).toEqual({})
})

test('[FIND-02] the same search again loads the list again', async () => {
  const { user } = await open('/list?name=gina')
  await user.click(button(t('action.search')))
  expect(asked).toHaveBeenCalledOnce()
})

test('[FIND-02] while a list loads, another search is made, and the same one is not made twice', async () => {
  server.answers('listView/list', { data: [] })
  const { user } = await renderOffice(<Page busy />, { path: '/list', address: '/list?name=gina' })
  await user.click(button(t('action.search')))
  expect(asked).not.toHaveBeenCalled()
  await fill(user, 'Name', 'mika')
  await user.keyboard('{Enter}')
  expect(values()).toEqual({ name: 'mika' })
})

test('[FIND-02] what is typed before the address has changed stays', async () => {
  const view = await open('/list?name=gina&remark=rent')
  fireEvent.change(field('Name'), { target: { value: 'mika' } })
  fireEvent.submit(screen.getByRole('search'))
  // The router has not changed the address yet.
  expect(values()).toEqual({ name: 'gina', remark: 'rent' })
  fireEvent.change(field('Name'), { target: { value: 'mika88' } })
  await waitFor(() => expect(values()).toEqual({ name: 'mika', remark: 'rent' }))
  expect(field('Name').value).toBe('mika88')
  act(() => view.router.history.back())
  await waitFor(() => expect(values()).toEqual({ name: 'gina', remark: 'rent' }))
  expect(field('Name').value).toBe('gina')
})

test('[FIND-02] what an address says beside the fields’ values is not shown as set', async () => {
  await open('/list?status=99&amount=lots&kind=none&time=tomorrow&other=1')
  expect(screen.queryByRole('button', { name: t('filter.clear') })).toBeNull()
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
})

const DATES = (start: string, end: string) => `/list?time=${start}..${end}`
test('[FIND-02] the first focus of the dates is on the first of them, also before they have come', async () => {
  const { user } = await open(DATES('2026-11-01', '2026-11-05'))
  await user.click(button(`${t('filter.dates')}: 11-01 – 11-05`))
  const start = await screen.findByLabelText(t('history.start'))
  await waitFor(() => expect(document.activeElement).toBe(start))
})

test('[FIND-02] times in the wrong order are not searched for: the panel stays and says so', async () => {
  const { user } = await open(DATES('2026-11-03', '2026-11-05'))
  await user.click(button(`${t('filter.dates')}: 11-03 – 11-05`))
  const end = await screen.findByLabelText(t('history.end'))
  await user.clear(end)
  await user.type(end, '2026-11-01{Enter}')
  expect(await screen.findByText(t('history.order'))).toBeTruthy()
  expect(button(t('filter.apply')).hasAttribute('disabled')).toBe(true)
  await user.type(end, '{Enter}')
  await user.type(field('Name'), 'gina{Enter}')
  await waitFor(() => expect(values()).toEqual({ name: 'gina', time: '2026-11-03..2026-11-05' }))
})

test('[FIND-02] a panel closes when the focus leaves it, and with Esc on its chip', async () => {
  const { user } = await open('/list?remark=rent&amount=5-5')
  await user.click(button('Remark rent'))
  await screen.findByRole('dialog', { name: 'Remark' })
  // The button that applies it, then the next chip.
  await user.tab()
  expect(screen.getByRole('dialog', { name: 'Remark' })).toBeTruthy()
  await user.tab()
  expect(document.activeElement).toBe(button('Amount 5'))
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(button('Amount 5'))
  button('Amount 5').focus()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('[FIND-02] filters that are not set are behind one button, and Esc leads back to it', async () => {
  const { user } = await open('/list?status=4')
  await user.click(button(t('filter.add')))
  const named = within(screen.getByRole('dialog')).getAllByRole('button')
  expect(named.map(({ textContent }) => textContent)).toEqual(['Remark', 'Amount', 'Kind'])
  await user.click(button('Remark'))
  expect(document.activeElement).toBe(within(screen.getByRole('dialog')).getByLabelText('Remark'))
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(button(t('filter.add')))
})

const frozen = { id: 3, name: 'Waiting gifts', filters: { kind: 'gift', status: '4' }, shared: 0, own: 1 }

test('[FIND-02] a saved view sets its filters; "All" takes them back', async () => {
  const { user } = await open('/list?name=gina', [frozen])
  await user.click(await screen.findByRole('button', { name: 'Waiting gifts' }))
  expect(values()).toEqual({ kind: 'gift', status: '4' })
  expect(button('Waiting gifts').getAttribute('aria-pressed')).toBe('true')
  expect(screen.queryByRole('button', { name: t('view.save') })).toBeNull()
  await user.click(button(t('view.all')))
  expect(values()).toEqual({})
})

test.each([
  [['view.share'], 1],
  [[], 0],
] as const)(
  '[FIND-02] [CODE-04] with %j what is set is saved as a view, for the group too: %i',
  async (may, shared) => {
    server.answers('userMenu/list', [menuPage('/index', { may: [...may] })])
    const { user } = await open('/list?status=4')
    server.answers('listView/save', { id: 5 })
    await user.click(button(t('view.save')))
    await fill(user, t('view.name'), ' Open ')
    const find = () => screen.queryByRole('checkbox', { name: t('view.shared') })
    await waitFor(() => expect(find() !== null).toBe(shared === 1))
    const box = find()
    if (box) await user.click(box)
    await user.click(button(t('action.save')))
    expect(await screen.findByText(t('view.saved'))).toBeTruthy()
    expect(server.asked('listView/save')).toEqual([
      { request_id: expect.any(String), list: 'history', name: 'Open', filters: { status: '4' }, shared },
    ])
  },
)

test('[FIND-02] a view of the group can be changed and deleted only by its head', async () => {
  const { user } = await open('/list?kind=gift&status=4', [{ ...frozen, shared: 1, own: 0 }])
  await screen.findByRole('button', { name: 'Waiting gifts' })
  await waitFor(() => expect(screen.queryByRole('button', { name: t('view.save') })).toBeNull())
  expect(screen.queryByRole('button', { name: t('view.edit') })).toBeNull()
  await user.click(button(t('view.all')))
})

test('[FIND-02] one’s own view is deleted', async () => {
  const { user } = await open('/list?kind=gift&status=4', [frozen])
  server.answers('listView/delete', null)
  await user.click(await screen.findByRole('button', { name: t('view.edit') }))
  await user.click(button(t('action.delete')))
  expect(await screen.findByText(t('view.deleted'))).toBeTruthy()
  expect(server.asked('listView/delete')).toEqual([{ request_id: expect.any(String), id: 3 }])
})

test('[FIND-02] without a text field the bar begins at the edge of the page, with no empty box before it', async () => {
  const Bar = () => (
    <FilterBar fields={FIELDS.filter(({ kind }) => kind === 'period')} filters={useFilters(KEYS)} onAgain={asked} />
  )
  const { container } = await renderOffice(<Bar />, { path: '/list', address: '/list' })
  await screen.findByRole('button', { name: t('time.today') })
  expect(container.querySelector('form.filters')?.children).toHaveLength(1)
})
