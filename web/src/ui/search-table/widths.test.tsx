import { expect, test } from 'vitest'
import { actionsWidth, columnsThatFit, leastWidth } from './widths.ts'

test('columns are left out from the lowest spare number on, until the others fit', () => {
  const columns = [{}, { spare: 2 }, {}, { spare: 1 }]
  const widths = [100, 100, 100, 100]
  expect(columnsThatFit(columns, widths, 400)).toEqual([0, 1, 2, 3])
  expect(columnsThatFit(columns, widths, 399)).toEqual([0, 1, 2])
  expect(columnsThatFit(columns, widths, 299)).toEqual([0, 2])
  // What is not spare stays, and the table scrolls.
  expect(columnsThatFit(columns, widths, 10)).toEqual([0, 2])
})

test('[I18N-01] a column is never narrower than the longest word of its cells', () => {
  const plain = { title: 'Type', sorts: false, chips: [], language: 'ta', dense: false, first: false }
  const word = 'வெளிச்செல்லும்'
  const narrow = leastWidth({ ...plain, texts: ['In'] })
  const wide = leastWidth({ ...plain, texts: [`${word} In`] })
  expect(wide).toBeGreaterThan(narrow)
  expect(wide).toBe(leastWidth({ ...plain, texts: [word] }))
})

test('[ACC-10] the actions are as wide as the longest word that may be beside a row', () => {
  const long = { label: 'A very long action', hidden: () => false }
  const edit = { label: 'Edit' }
  expect(actionsWidth([], false)).toBe(0)
  expect(actionsWidth([edit, long, edit], false)).toBe(actionsWidth([edit, edit, edit], false))
  expect(actionsWidth([long, edit, edit], false)).toBeGreaterThan(actionsWidth([edit, long, edit], false))
  expect(actionsWidth([edit], false)).toBeLessThan(actionsWidth([edit, long, edit], false))
  expect(actionsWidth([edit, long], false)).toBeGreaterThan(actionsWidth([edit, edit], false))
  expect(actionsWidth([edit], true)).toBeLessThan(actionsWidth([edit], false))
})
