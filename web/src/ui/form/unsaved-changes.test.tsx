import { Link, useSearch } from '@tanstack/react-router'
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { button, renderOffice } from '../../testing/render.tsx'
import { UnsavedChanges } from './unsaved-changes.tsx'

const Page = ({ searchKey }: { searchKey?: string }) => {
  const [text, setText] = useState('')
  const search: Record<string, unknown> = useSearch({ strict: false })
  return (
    <>
      <UnsavedChanges hasChanges={text !== ''} {...(searchKey ? { searchKey } : {})} />
      <input aria-label="text" value={text} onChange={(event) => setText(event.target.value)} />
      <Link to={'/other' as never} search={{ tab: 2 } as never}>
        other
      </Link>
      <Link to={'.' as never} search={{ member: 2 } as never}>
        member
      </Link>
      <output>{String(search.member)}</output>
    </>
  )
}
const open = async (searchKey?: string) => {
  const view = await renderOffice(<Page {...(searchKey ? { searchKey } : {})} />, { path: '/form' })
  return { ...view, href: () => view.router.state.location.href }
}
const asks = () => screen.findByText(t('dialog.not_saved'))

test('a page without changes is left without a question', async () => {
  const { user, router, href } = await open()
  await user.click(screen.getByText('other'))
  await router.load()
  expect(href()).toBe('/other?tab=2')
})

test('a link asks first: the form stays as it is, or its changes are discarded', async () => {
  const { user, href } = await open()
  await user.type(screen.getByLabelText('text'), 'typed')
  await user.click(screen.getByText('other'))
  await asks()
  expect(href()).toBe('/form')
  await user.click(button(t('dialog.keep_editing')))
  expect(screen.queryByText(t('dialog.not_saved'))).toBeNull()
  expect(screen.getByLabelText<HTMLInputElement>('text').value).toBe('typed')
  await user.click(screen.getByText('other'))
  await asks()
  await user.click(button(t('dialog.discard')))
  expect(href()).toBe('/other?tab=2')
})

test('what was typed and taken away again is not asked about', async () => {
  const { user, router, href } = await open()
  await user.type(screen.getByLabelText('text'), 'a{Backspace}')
  await user.click(screen.getByText('other'))
  await router.load()
  expect(href()).toBe('/other?tab=2')
})

test('another query of the same page keeps the form, unless the form belongs to its value', async () => {
  const first = await open()
  await first.user.type(screen.getByLabelText('text'), 'typed')
  await first.user.click(screen.getByText('member'))
  expect(await screen.findByText('2')).toBeTruthy()
  first.unmount()
  const second = await open('member')
  await second.user.type(screen.getByLabelText('text'), 'typed')
  await second.user.click(screen.getByText('member'))
  await asks()
  expect(second.href()).toBe('/form')
})
