import { expect, test } from 'vitest'
import { isRightRoom, shownRoom, registerShownRoom } from './shown-room.ts'

test('[CONV-01] a text is sent only to the room where it was begun and which the page shows', () => {
  expect([isRightRoom('a', 'a', 'a'), isRightRoom('a', undefined, undefined)]).toEqual([true, true])
  expect([isRightRoom('a', 'b', 'a'), isRightRoom('a', 'a', 'b'), isRightRoom('a', 'b', 'b')]).toEqual([
    false,
    false,
    false,
  ])
})

test('[CONV-01] a page that closes late does not unregister the page that followed it', () => {
  const leaveFirst = registerShownRoom(() => 'first')
  const leaveSecond = registerShownRoom(() => 'second')
  leaveFirst()
  expect(shownRoom()).toBe('second')
  leaveSecond()
  expect(shownRoom()).toBeUndefined()
})
