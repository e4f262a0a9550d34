import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { TitleNews, useTitle } from './title.tsx'

const Page = ({ parts }: { parts: string[] }) => {
  useTitle(...parts)
  return <TitleNews />
}
const draw = (parts: string[]) => <Page parts={parts} />

test('the tab is named by the room, the page and the product; what it shows next is read out, once', () => {
  const { rerender } = render(draw(['', 'Inbox']))
  expect(document.title).toBe('Inbox · Tallyroom')
  // The browser reads out the first one by itself.
  expect(screen.queryByText('Inbox')).toBeNull()
  act(() => rerender(draw(['Ann', 'Inbox'])))
  expect(document.title).toBe('Ann · Inbox · Tallyroom')
  expect(screen.getByText('Ann').getAttribute('aria-live')).toBe('polite')
  // What others have put before it stays until it changes.
  document.title = `(2) ${document.title}`
  act(() => rerender(draw(['Ann', 'Inbox'])))
  expect(document.title).toBe('(2) Ann · Inbox · Tallyroom')
  act(() => rerender(draw(['', ''])))
  expect(document.title).toBe('Tallyroom')
  act(() => rerender(draw(['Log'])))
  expect(screen.getByText('Log')).toBeTruthy()
})
