import { expect, test } from 'vitest'
import { nameRank } from './name-rank.ts'

test('a name that begins with it, then a word that does, then the inside of a word', () => {
  expect(['ann lee', 'lee ann', 'user management', 'gina'].map((name) => nameRank(name, 'an'))).toEqual([0, 1, 2, 3])
  expect(nameRank('banana-an', 'an')).toBe(1)
  // A mark belongs to its letter.
  expect(nameRank('கா', 'ா')).toBe(2)
})
