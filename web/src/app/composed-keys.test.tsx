import { AccountStatus, Role } from '@tallyroom/contract/codes'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Palette } from './palette/palette.tsx'
import { FindName } from '../domain/find-name.tsx'
import { server } from '../testing/fake-server.ts'
import { ownAccount } from '../testing/fixtures.ts'
import { renderOffice } from '../testing/render.tsx'

/** Chrome and Firefox while a word is composed; Safari when Enter confirms it. */
const composed = [{ isComposing: true }, { isComposing: false, keyCode: 229 }]
const KEYS = ['Enter', 'Escape', 'ArrowDown', 'ArrowUp', 'Tab', '?', '/']

/** Presses all keys as an input method does. Each of them must reach the input method. */
const compose = (field: HTMLElement) => {
  for (const kind of composed)
    for (const key of KEYS)
      for (const modifiers of [{}, { ctrlKey: true }, { altKey: true }])
        expect(fireEvent.keyDown(field, { key, code: key, ...kind, ...modifiers })).toBe(true)
}

const listening: [EventTarget, (event: Event) => void][] = []
afterEach(() => {
  for (const [target, onKeyDown] of listening.splice(0))
    for (const capture of [true, false]) target.removeEventListener('keydown', onKeyDown, { capture })
})

test('[TEXT-03] no handler of the page gets a key of an input method, and every other key gets through', () => {
  const onKeyDown = vi.fn<(event: unknown) => void>()
  for (const target of [window, document, document.body])
    for (const capture of [true, false]) {
      target.addEventListener('keydown', onKeyDown, { capture })
      listening.push([target, onKeyDown])
    }
  render(<textarea onKeyDown={onKeyDown} onKeyDownCapture={onKeyDown} />)
  compose(screen.getByRole('textbox'))
  expect(onKeyDown).not.toHaveBeenCalled()
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter', keyCode: 13 })
  expect(onKeyDown).toHaveBeenCalledTimes(8)
})

test('[TEXT-03] the finder of accounts chooses nobody while a name is composed', async () => {
  const onFound = vi.fn<(id: number) => void>()
  const hit = {
    id: 7,
    username: 'annlee',
    nickname: 'Ann Lee',
    role_id: Role.member,
    status: AccountStatus.active,
    upline: '',
  }
  server.answers('tree/find', { data: [hit, { ...hit, id: 8, username: 'anna', nickname: 'Anna' }] })
  const { user } = await renderOffice(<FindName label="Find" onFound={onFound} />)
  const field = screen.getByRole<HTMLInputElement>('combobox')
  await user.type(field, 'ann')
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2))
  compose(field)
  expect(field.value).toBe('ann')
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('Ann Lee')
  expect(onFound).not.toHaveBeenCalled()
  await user.keyboard('{ArrowDown}{Enter}')
  expect(onFound).toHaveBeenCalledWith(8, 'Anna')
})

test('[TEXT-03] the palette stays open while a word is composed', async () => {
  const run = vi.fn<() => void>()
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = () => run()
  Element.prototype.scrollIntoView = () => {}
  server.answers('user/view', ownAccount())
  const useChoices = () => ({
    choices: [{ key: 'a', kind: 'room' as const, icon: 'chat' as const, title: 'Ann', detail: '', href: '/a', run }],
  })
  await renderOffice(
    <Palette
      sources={[{ name: 'chat.rooms', rank: () => undefined, useChoices }]}
      onOpen={() => {}}
      onClose={() => {}}
    />,
  )
  const field = screen.getByRole<HTMLInputElement>('combobox')
  fireEvent.change(field, { target: { value: 'ann' } })
  await screen.findByRole('option')
  compose(field)
  expect([field.value, run.mock.calls]).toEqual(['ann', []])
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
  expect(run).toHaveBeenCalledTimes(2)
})
