import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { renderOffice } from '../../testing/render.tsx'
import { startListKeys } from './list-keys.ts'
import type { Column, RowAction } from '../search-table/column.ts'
import { SearchTable } from '../search-table/table.tsx'

type Row = { id: number }
const columns: Column<Row>[] = [{ key: 'id', title: 'Number', width: 80, cell: ({ id }) => `Row ${id}` }]
const actions: RowAction<Row>[] = [
  { key: 'edit', label: 'Edit', icon: 'edit', onSelect: () => {} },
  { key: 'delete', label: 'Delete', icon: 'trash', onSelect: () => {} },
]
const rows: Row[] = [{ id: 1 }, { id: 2 }, { id: 3 }]

let stop = () => {}
beforeEach(() => {
  stop = startListKeys()
})
afterEach(() => stop())

const open = async (shownActions: readonly RowAction<Row>[] = actions) => {
  const view = await renderOffice(
    <>
      <a href="#menu">Menu</a>
      <form role="search">
        <input aria-label="Search" />
      </form>
      <input type="text" aria-label="Other" />
      <textarea aria-label="Text" />
      <SearchTable label="Things" rows={rows} rowKey="id" columns={columns} actions={shownActions} onRetry={() => {}} />
    </>,
  )
  await waitFor(() => expect(screen.getByText('Row 3')).toBeTruthy())
  return view
}
const focusedRow = () => document.activeElement?.closest('tr')?.textContent?.match(/Row \d/)?.[0]
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

test('[ACC-01] ↓ leads from the page into its list, and from row to row, to what Enter presses', async () => {
  const { user } = await open()
  await user.keyboard('{ArrowDown}')
  expect(focusedRow()).toBe('Row 1')
  expect(document.activeElement?.textContent).toBe('Edit')
  await user.keyboard('{ArrowDown}j')
  expect(focusedRow()).toBe('Row 3')
  await user.keyboard('{ArrowDown}')
  expect(focusedRow()).toBe('Row 3')
  await user.keyboard('k{ArrowUp}')
  expect(focusedRow()).toBe('Row 1')
})

test('[ACC-01] ↓ also leads into the list from a link and from the field that searches it', async () => {
  const { user } = await open()
  for (const from of [screen.getByRole('link', { name: 'Menu' }), field('Search')]) {
    from.focus()
    await user.keyboard('{ArrowDown}')
    expect(focusedRow()).toBe('Row 1')
  }
})

test('[ACC-01] typing stays typing, and letters do nothing outside of the list', async () => {
  const { user } = await open()
  await user.keyboard('j')
  expect(document.activeElement).toBe(document.body)
  for (const label of ['Search', 'Other', 'Text']) {
    await user.type(field(label), 'jk')
    expect(field(label).value).toBe('jk')
    expect(document.activeElement).toBe(field(label))
  }
  for (const label of ['Other', 'Text']) {
    field(label).focus()
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(field(label))
  }
})

test('[ACC-01] a row without buttons gets the focus itself, and a menu keeps its own keys', async () => {
  const { user, unmount } = await open([])
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(document.activeElement?.tagName).toBe('TR')
  expect(focusedRow()).toBe('Row 2')
  unmount()
  // Two actions are both buttons; from three on there is a menu.
  await open([...actions, { key: 'points', label: 'Points', icon: 'edit', onSelect: () => {} }])
  await user.keyboard('{ArrowDown}{Tab}{Enter}')
  const items = screen.getAllByRole('menuitem')
  expect(document.activeElement).toBe(items[0])
  await user.keyboard('{ArrowDown}')
  expect(items).toContain(document.activeElement)
})

test('[ACC-01] after the last row the arrows go on in what was found below it', async () => {
  const { user } = await renderOffice(
    <section data-focus-home="">
      {['one', 'two'].map((name) => (
        <ul key={name} data-rows="li">
          <li>
            <a href={`#${name}`}>{name}</a>
          </li>
        </ul>
      ))}
    </section>,
  )
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toBe('one')
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toBe('two')
  await user.keyboard('{ArrowDown}{ArrowUp}')
  expect(document.activeElement?.textContent).toBe('one')
})
