import type { ApprovalRow } from '@tallyroom/contract/calls/points/approval'
import type { SensitiveChangeRow } from '@tallyroom/contract/calls/office/change'
import type { ApprovalState } from '@tallyroom/contract/limits'
import type { Translate } from '../../i18n/i18n.ts'
import { exactText } from '../../ui/amount.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { Chip } from '../../domain/status.tsx'

const states = {
  waiting: { icon: 'hourglass', word: 'approval.waits', tone: 'waiting' },
  approved: { icon: 'check', word: 'approval.approved', tone: 'in' },
  refused: { icon: 'close', word: 'cash.state_refused', tone: 'refused' },
  withdrawn: { icon: 'takenBack', word: 'cash.state_withdrawn', tone: 'off' },
  expired: { icon: 'hourglass', word: 'cash.state_expired', tone: 'off' },
  failed: { icon: 'alert', word: 'status.failed', tone: 'refused' },
} as const

/** What a decision is called in the list: the notice after it says the same word. */
export const stateWords = Object.fromEntries(Object.entries(states).map(([state, { word }]) => [state, word])) as {
  [S in ApprovalState]: (typeof states)[S]['word']
}

export const ApprovalStatus = ({ state }: { state: ApprovalState }) => <Chip {...states[state]} />

const overWords = {
  transfer: 'approval.over_transfer',
  hour: 'approval.over_hour',
  day: 'approval.over_day',
  member: 'approval.over_member',
} as const

/** Which limit it is above, such as "Above 1,000.00 per day". */
export const overWord = (t: Translate, { over, most }: Pick<ApprovalRow, 'over' | 'most'>) =>
  t(overWords[over], { amount: exactText(pointsOf(most)) })

/** The member as the rows of other lists name it. */
export const memberOf = (row: ApprovalRow) => ({
  username: row.member_username,
  nickname: row.member_nickname,
  thumbnail: row.thumbnail,
})

/** The account that a change is about, as the rows of other lists name it. */
export const targetOf = (row: SensitiveChangeRow) => ({
  username: row.target_username,
  nickname: row.target_nickname,
  thumbnail: row.thumbnail,
})
