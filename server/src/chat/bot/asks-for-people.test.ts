import { languages } from '@tallyroom/locales'
import { expect, test } from 'vitest'
import { wordsFor } from '../../lib/words.ts'
import { asksForPeople } from './asks-for-people.ts'

test.each([...languages])('[ROOM-09] the button of the member’s page asks for a person in %s', (language) => {
  expect(asksForPeople(wordsFor(language, 'member.ask_person'))).toBe(true)
})

test.each(['Where are my points?', '點數在哪裡', 'Где мои баллы?', 'ฝากแต้มยังไง'])('[ROOM-09] %s does not', (text) => {
  expect(asksForPeople(text)).toBe(false)
})
