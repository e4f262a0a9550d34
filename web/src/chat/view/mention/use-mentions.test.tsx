import { fireEvent, screen, waitFor } from '@testing-library/react'
import { type Mention, mentionsIn } from '@tallyroom/contract/text/mentions'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { server } from '../../../testing/fake-server.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { MentionField } from './mention-field.tsx'

const colleague = (id: number, nickname: string, username = `user${id}`) => ({
  id,
  nickname,
  username,
  role_id: 3 as const,
  active: 1 as const,
  waiting: 0,
  state: 'on' as const,
  here: 1 as const,
  since: null,
  until: null,
  load: 0,
  passed: 0 as const,
})
const answers = (...data: ReturnType<typeof colleague>[]) =>
  server.answers('desk/colleagues', { data, capacity: null, answer_s: 0 })

/** The browser of the tests has no such command: it writes into the field that has the focus. */
const insert = (_: string, __?: boolean, words = '') => {
  const field = box()
  const at = field.selectionStart ?? 0
  const value = field.value.slice(0, at) + words + field.value.slice(field.selectionEnd ?? at)
  fireEvent.change(field, { target: { value } })
  field.setSelectionRange(at + words.length, at + words.length)
  fireEvent.select(field)
  return true
}
const onMentions = vi.fn<(ids: number[]) => void>()
const onSubmit = vi.fn<() => void>()
beforeEach(() => {
  document.execCommand = insert
  onMentions.mockClear()
  onSubmit.mockClear()
})

const Dialog = () => {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Mention[]>([])
  onMentions(mentionsIn(text, chosen).map(({ id }) => id))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <MentionField label="Word" value={text} onChange={setText} chosen={chosen} onChoose={setChosen} maxLength={200} />
      <button type="submit">Save</button>
    </form>
  )
}
const box = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Word' })
const names = () =>
  [...document.querySelectorAll('[role="option"] .c-pick-title')].map(({ textContent }) => textContent)
const active = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent

test('[BELL-01] @ lists the colleagues; arrows mark, Enter and Tab choose, and Enter sends nothing meanwhile', async () => {
  answers(colleague(1, 'Mika'), colleague(2, 'Omar'), colleague(3, 'Ömer'))
  const { user } = await renderOffice(<Dialog />)
  await user.type(box(), 'ask @')
  await waitFor(() => expect(names()).toEqual(['Mika', 'Omar', 'Ömer']))
  expect(active()).toContain('Mika')
  await user.keyboard('{ArrowDown}')
  expect(active()).toContain('Omar')
  await user.keyboard('{Enter}')
  expect([box().value, onSubmit.mock.calls.length]).toEqual(['ask @Omar ', 0])
  insert('', false, 'and @mik')
  await user.keyboard('{Tab}')
  expect(box().value).toBe('ask @Omar and @Mika ')
  expect(onMentions).toHaveBeenLastCalledWith([2, 1])
  expect(document.activeElement).toBe(box())
  await user.keyboard('{Enter}')
  expect(onSubmit).toHaveBeenCalledTimes(1)
})

test('[BELL-01] [TEXT-03] what an input method composes after @ is found, and its keys neither choose nor send', async () => {
  answers(colleague(1, '王小明'), colleague(2, '王大文'))
  const { user } = await renderOffice(<Dialog />)
  await user.type(box(), '@')
  await waitFor(() => expect(names()).toEqual(['王小明', '王大文']))
  fireEvent.compositionStart(box())
  insert('', false, '王')
  for (const key of ['ArrowDown', 'Enter', 'Tab', 'Escape'])
    fireEvent.keyDown(box(), { key, isComposing: true, keyCode: 229 })
  expect([box().value, names().length, active()?.includes('王小明')]).toEqual(['@王', 2, true])
  fireEvent.compositionEnd(box())
  // Safari: the Enter that confirms the word comes after its composition.
  fireEvent.keyDown(box(), { key: 'Enter', keyCode: 229 })
  expect([box().value, onSubmit.mock.calls.length]).toEqual(['@王', 0])
  await user.keyboard('{Enter}')
  expect([box().value, onSubmit.mock.calls.length]).toEqual(['@王小明 ', 0])
})

test('[BELL-01] Escape closes the list until another @; a name typed by hand mentions nobody', async () => {
  answers(colleague(1, 'Mika'))
  const { user } = await renderOffice(<Dialog />)
  await user.type(box(), '@Mi')
  await waitFor(() => expect(names()).toEqual(['Mika']))
  await user.keyboard('{Escape}')
  expect(names()).toEqual([])
  await user.keyboard('ka')
  expect([names(), box().value]).toEqual([[], '@Mika'])
  expect(onMentions).toHaveBeenLastCalledWith([])
  await user.keyboard(' mail@Mi')
  expect(names()).toEqual([])
})

test('[BELL-01] a mention whose name is changed in the text is none any more', async () => {
  answers(colleague(1, 'Mika'))
  const { user } = await renderOffice(<Dialog />)
  await user.type(box(), '@mi')
  await waitFor(() => expect(names()).toEqual(['Mika']))
  await user.keyboard('{Enter}')
  expect(onMentions).toHaveBeenLastCalledWith([1])
  fireEvent.change(box(), { target: { value: '@Mik' } })
  expect(box().value).toBe('@Mik')
  expect(onMentions).toHaveBeenLastCalledWith([])
})

test('[BELL-01] names of other scripts are found and chosen, and two with one nickname differ', async () => {
  answers(
    colleague(1, 'สมชาย ใจดี'),
    colleague(2, 'မင်းမင်း'),
    colleague(3, '王小明', 'wang3'),
    colleague(4, '王小明', 'wang4'),
  )
  const { user } = await renderOffice(<Dialog />)
  await user.type(box(), '@สม')
  await waitFor(() => expect(names()).toEqual(['สมชาย ใจดี']))
  await user.keyboard('{Enter}')
  expect(box().value).toBe('@สมชาย ใจดี ')
  insert('', false, '请@王小')
  await user.keyboard('{ArrowDown}{Enter}')
  expect(box().value).toBe('@สมชาย ใจดี 请@王小明 (wang4) ')
  expect(onMentions).toHaveBeenLastCalledWith([1, 4])
})
