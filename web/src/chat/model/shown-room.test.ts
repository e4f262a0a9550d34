import { expect, test } from 'vitest'
import { isRightRoom, shownRoom, showsRoom } from './shown-room.ts'

test('[CONV-01] a text may go only where it was begun and where the page is', () => {
  expect([isRightRoom('a', 'a', 'a'), isRightRoom('a', undefined, undefined)]).toEqual([true, true])
  expect([isRightRoom('a', 'b', 'a'), isRightRoom('a', 'a', 'b'), isRightRoom('a', 'b', 'b')]).toEqual([
    false,
    false,
    false,
  ])
})

test('[CONV-01] the page that is left does not take the word of the one that came', () => {
  const leaveFirst = showsRoom(() => 'first')
  const leaveSecond = showsRoom(() => 'second')
  leaveFirst()
  expect(shownRoom()).toBe('second')
  leaveSecond()
  expect(shownRoom()).toBeUndefined()
})
