import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Field } from '../../member/field.tsx'
import { renderOffice } from '../../testing/render.tsx'
import { TextField } from '../form/text-field.tsx'

const FAMILY = '👨‍👩‍👧‍👦'
const NAME = 'Nguyễn Trần Thị Hồng Nhường'

type Props = { value: string; max: number }
const Office = ({ value, max }: Props) => {
  const [text, setText] = useState(value)
  return <TextField label="Name" value={text} onChange={setText} maxLength={max} />
}
const Lines = ({ value, max }: Props) => {
  const [text, setText] = useState(value)
  return <TextField label="Name" rows={3} value={text} onChange={setText} maxLength={max} />
}
const Member = ({ value, max }: Props) => {
  const [text, setText] = useState(value)
  return <Field label="Name" name="name" autoComplete="off" value={text} onChange={setText} maxLength={max} />
}
const kinds = [
  ['a field of the office', Office],
  ['a field of several lines', Lines],
  ['a field of the member’s page', Member],
] as const
const box = () => screen.getByLabelText<HTMLInputElement>('Name')

for (const [name, Part] of kinds) {
  const open = async (value: string, max: number) => {
    const { user } = await renderOffice(<Part value={value} max={max} />)
    return user
  }
  const paste = async (user: Awaited<ReturnType<typeof open>>, text: string, at = box().value.length) => {
    box().focus()
    box().setSelectionRange(at, at)
    await user.paste(text)
  }

  test(`[TEXT-02] ${name} cuts what is too long between letters, and counts a letter with its marks as one`, async () => {
    const user = await open('', 50)
    await paste(user, `${'a'.repeat(48)}${FAMILY}`)
    expect(box().value).toBe('a'.repeat(48))
    await user.clear(box())
    await paste(user, NAME.normalize('NFD').repeat(2))
    expect(box().value).toBe(`${NAME}${NAME}`.slice(0, 50))
  })

  test(`[TEXT-02] ${name} takes a name of few letters with many marks as a whole`, async () => {
    const user = await open('', 30)
    expect(NAME.normalize('NFD').length).toBeGreaterThan(30)
    await paste(user, NAME.normalize('NFD'))
    expect(box().value).toBe(NAME)
  })

  test(`[TEXT-02] ${name} cuts what comes in, keeps what is behind the caret, and the caret`, async () => {
    const user = await open('abcdef', 8)
    await paste(user, '1234', 3)
    expect([box().value, box().selectionStart]).toEqual(['abc12def', 5])
    await user.keyboard('x')
    expect([box().value, box().selectionStart]).toEqual(['abc12def', 5])
  })

  test(`[TEXT-02] ${name} leaves a text alone while an input method composes it`, async () => {
    await open('abcd', 5)
    box().focus()
    fireEvent.compositionStart(box())
    fireEvent.input(box(), { target: { value: 'abcdnihao' } })
    expect(box().value).toBe('abcdnihao')
    fireEvent.input(box(), { target: { value: 'abcd你好' } })
    fireEvent.compositionEnd(box())
    expect(box().value).toBe('abcd你')
  })

  test(`[TEXT-02] ${name} lets a text that was longer before be shortened bit by bit`, async () => {
    const user = await open('abcdefgh', 5)
    box().focus()
    box().setSelectionRange(8, 8)
    await user.keyboard('x')
    expect(box().value).toBe('abcdefgh')
    await user.keyboard('{Backspace}')
    expect(box().value).toBe('abcdefg')
  })
}
