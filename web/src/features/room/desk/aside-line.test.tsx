import type { Aside } from '@tallyroom/contract/events'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { asideText } from './aside-line.tsx'

const note = { kind: 'whisper', user_username: 'lee01', nickname: 'Lee', content: 'Wait' } as Aside

test('[CONV-05] a colleague’s internal note is read out as one, with its author; the user’s own is not', () => {
  expect(asideText(note, 'ann01', t)).toBe('Internal note by Lee: Wait')
  expect(asideText(note, 'lee01', t)).toBe('')
  expect(asideText({ ...note, kind: 'taken' }, 'ann01', t)).toBe('')
})
