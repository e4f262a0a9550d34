import { expect, test } from 'vitest'
import * as sets from './kind-sets.ts'

test('[TRF-11] the sets of transfer kinds are the same text in every statement', () => {
  expect(Object.fromEntries(Object.entries(sets).map(([name, { text }]) => [name, text]))).toEqual({
    givingKinds: '(1, 3, 4, 5, 9, 11)',
    takingKinds: '(2, 6, 8)',
    officeTakingKinds: '(2, 6)',
    openingKinds: '(1, 3, 4, 5, 7)',
    unreportedKinds: '(7, 8, 9, 11)',
    platformKinds: '(8, 9, 11)',
    correctableKinds: '(1, 2, 3, 4, 5, 6, 7)',
    reducingKinds: '(8, 10)',
    frequentKinds: '(1, 2, 8, 9)',
  })
})
