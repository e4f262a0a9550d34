import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { menuPage, ownAccount } from '../../testing/fixtures.ts'
import { renderOffice } from '../../testing/render.tsx'
import type { Choice, PaletteSource } from '../../ui/palette-source.ts'
import { Palette } from './palette.tsx'

const choice = (title: string, others: Partial<Choice> = {}): Choice => ({
  key: title,
  kind: 'room',
  icon: 'chat',
  title,
  detail: '',
  href: `/${title}`,
  ...others,
})
const sourceOf = (choices: Choice[], rank?: 'first' | 'last'): PaletteSource => ({
  name: rank === 'last' ? 'palette.accounts' : 'chat.rooms',
  rank: () => rank,
  useChoices: (text) => ({ choices: choices.filter(({ title }) => title.toLowerCase().includes(text)) }),
})
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
const open = async (sources: PaletteSource[], onClose = () => {}) =>
  renderOffice(<Palette sources={sources} onOpen={() => {}} onClose={onClose} />)

beforeEach(() => {
  // jsdom has no dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
  }
  Element.prototype.scrollIntoView = () => {}
  server.answers('user/view', ownAccount())
  server.answers('userMenu/list', [menuPage('/user', { name: 'user' })])
})

test('conversations come first in the chat, and a word that begins with it before the inside of one', async () => {
  const { user } = await open([
    sourceOf([choice('Nan'), choice('Ann Lee')], 'first'),
    sourceOf([choice('anna')], 'last'),
  ])
  await user.type(screen.getByRole('combobox'), 'an')
  await waitFor(() => expect(options()).toEqual(['Ann Lee', 'Nan', t('menu.user'), 'anna']))
})

test('elsewhere a name that begins with it comes before a page that only contains it', async () => {
  const { user } = await open([sourceOf([choice('Ann Lee')]), sourceOf([choice('anna')], 'last')])
  await user.type(screen.getByRole('combobox'), 'an')
  await waitFor(() => expect(options()).toEqual(['Ann Lee', t('menu.user'), 'anna']))
  await user.clear(screen.getByRole('combobox'))
  await user.type(screen.getByRole('combobox'), t('menu.user').slice(0, 3).toLowerCase())
  await waitFor(() => expect(options()[0]).toBe(t('menu.user')))
})

test('[CONV-03] a command runs once the palette has given the focus back, and is not kept as a recent choice', async () => {
  const run = vi.fn<() => void>()
  const { user } = await open([sourceOf([choice('take', { kind: 'command', href: '', run, keys: 'Alt+T' })], 'first')])
  await user.type(screen.getByRole('combobox'), 'ta')
  await waitFor(() => expect(options()).toContain('takeAlt+T'))
  run.mockImplementation(() => expect(document.querySelector('dialog')?.open).toBe(false))
  await user.keyboard('{Enter}')
  expect(run).toHaveBeenCalledTimes(1)
  expect(localStorage.getItem('palette')).toBeNull()
})

test('the pointer chooses what the keys choose: one line is marked', async () => {
  const { user } = await open([sourceOf([choice('Ann'), choice('Anka')], 'first')])
  await user.type(screen.getByRole('combobox'), 'an')
  await waitFor(() => expect(options()).toContain('Anka'))
  await user.hover(screen.getByText('Anka'))
  expect(screen.getAllByRole('option', { selected: true }).map(({ textContent }) => textContent)).toEqual(['Anka'])
})
