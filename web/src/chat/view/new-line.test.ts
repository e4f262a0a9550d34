import type { Message } from '@tallyroom/contract/events'
import { expect, test } from 'vitest'
import { roomSummary } from '../../testing/fixtures.ts'
import { eventMessage, message } from '../../testing/message-fixtures.ts'
import { nextNewLine } from './new-line.ts'

type Watch = 'here' | 'back' | 'away'
type Kind = 'theirs' | 'ours' | 'event'
/** A room with these messages, read up to `read_seq`. */
const roomWith = (kinds: Kind[], read_seq: number, watch: Watch) => {
  const messages: Message[] = kinds.map((kind, i) => {
    const make = kind === 'event' ? eventMessage : message
    return make({ seq: i + 1, is_self: kind !== 'theirs' })
  })
  const answer = kinds.lastIndexOf('ours')
  const unanswered = kinds.slice(answer + 1).filter((kind) => kind === 'theirs').length
  return { summary: roomSummary({ last_seq: kinds.length, read_seq, unanswered }), messages, watch }
}

// Each line: what happens, the line before, the messages, how far they are read, whether somebody watches, the line after.
test.each<[string, number | null | undefined, Kind[], number, Watch, number | null]>([
  ['opened with unread messages', undefined, ['ours', 'theirs', 'theirs'], 1, 'here', 1],
  ['opened with messages that were read but not answered', undefined, ['theirs', 'theirs', 'theirs'], 2, 'here', 2],
  ['opened with everything read', undefined, ['ours', 'theirs'], 2, 'here', null],
  ['opened in the background', undefined, ['ours', 'theirs'], 1, 'away', 1],
  ['a message arrives before the user’s eyes', null, ['ours', 'theirs'], 1, 'here', null],
  ['a message arrives in the background', null, ['ours', 'theirs'], 1, 'away', 1],
  ['another one arrives in the background', 1, ['ours', 'theirs', 'theirs'], 1, 'away', 1],
  ['a later one arrives in the background', 1, ['ours', 'theirs', 'theirs'], 2, 'away', 2],
  ['it is read', 1, ['ours', 'theirs'], 2, 'here', 1],
  ['it is read, and another one arrives before the user’s eyes', 1, ['ours', 'theirs', 'theirs'], 2, 'here', 1],
  ['it is answered', 1, ['ours', 'theirs', 'ours'], 3, 'here', null],
  ['something happens to the room', 1, ['ours', 'theirs', 'event'], 3, 'here', 1],
  ['an answer is followed by a message in the background', 1, ['ours', 'theirs', 'ours', 'theirs'], 3, 'away', 3],
  ['what was held back arrives with the user', null, ['ours', 'theirs'], 1, 'back', 1],
  ['one more arrives while the user begins to read', 1, ['ours', 'theirs', 'theirs'], 2, 'back', 1],
])('[CONV-02] the "New" line: %s', (_, line, kinds, read, watch, after) => {
  expect(nextNewLine(line, roomWith(kinds, read, watch))).toBe(after)
})
