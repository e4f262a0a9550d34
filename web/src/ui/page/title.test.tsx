import { act, render, screen } from '@testing-library/react'
import { onTestFinished, expect, test } from 'vitest'
import { useTitle } from './title.ts'

const Page = ({ parts }: { parts: string[] }) => {
  useTitle(...parts)
  return null
}
const draw = (parts: string[]) => <Page parts={parts} />

test('the tab is named by the room, the page and the product; what it shows next is read out, once', () => {
  const region = document.body.appendChild(document.createElement('p'))
  region.id = 'title-news'
  onTestFinished(() => region.remove())
  const { rerender } = render(draw(['', 'Inbox']))
  expect(document.title).toBe('Inbox · Tallyroom')
  // The browser reads out the first one by itself.
  expect(screen.queryByText('Inbox')).toBeNull()
  act(() => rerender(draw(['Ann', 'Inbox'])))
  expect(document.title).toBe('Ann · Inbox · Tallyroom')
  expect(region.textContent).toBe('Ann')
  // What others have put before it stays until it changes.
  document.title = `(2) ${document.title}`
  act(() => rerender(draw(['Ann', 'Inbox'])))
  expect(document.title).toBe('(2) Ann · Inbox · Tallyroom')
  act(() => rerender(draw(['', ''])))
  expect(document.title).toBe('Tallyroom')
  act(() => rerender(draw(['Log'])))
  expect(region.textContent).toBe('Log')
})
