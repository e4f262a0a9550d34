import type { CashState } from '@tallyroom/contract/cash'
import { Chip } from './status.tsx'

const states = {
  asked: { icon: 'clock', word: 'cash.state_asked', tone: 'waiting' },
  taken: { icon: 'hourglass', word: 'cash.state_taken', tone: 'waiting' },
  paid: { icon: 'check', word: 'cash.state_paid', tone: 'in' },
  refused: { icon: 'close', word: 'cash.state_refused', tone: 'refused' },
  withdrawn: { icon: 'takenBack', word: 'cash.state_withdrawn', tone: 'off' },
  expired: { icon: 'hourglass', word: 'cash.state_expired', tone: 'off' },
} as const
const corrected = { icon: 'takenBack', word: 'status.taken_back', tone: 'off' } as const

/** State of a member's request for points. */
export const CashStatus = ({ state, corrected: isCorrected = false }: { state: CashState; corrected?: boolean }) => (
  <Chip {...(isCorrected ? corrected : states[state])} />
)
