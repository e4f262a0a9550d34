import type { CashState } from '@tallyroom/contract/cash'
import { Chip, type ChipProps } from './status.tsx'

const states = {
  asked: { icon: 'clock', word: 'cash.state_asked', tone: 'waiting' },
  taken: { icon: 'hourglass', word: 'cash.state_taken', tone: 'waiting' },
  paid: { icon: 'check', word: 'cash.state_paid', tone: 'in' },
  refused: { icon: 'close', word: 'cash.state_refused', tone: 'refused' },
  withdrawn: { icon: 'takenBack', word: 'cash.state_withdrawn', tone: 'off' },
  expired: { icon: 'hourglass', word: 'cash.state_expired', tone: 'off' },
} as const
const corrected = { icon: 'takenBack', word: 'status.taken_back', tone: 'off' } as const

/** What the status of a request can say to the office. */
export const cashStatusWords = [...Object.values(states).map(({ word }) => word), 'approval.waits'] as const

type Props = {
  state: CashState
  corrected?: boolean
  /** Its payment waits for approval. The member's side is not told. */
  approval?: 0 | 1 | undefined
}

export const cashChip = ({ state, corrected: isCorrected = false, approval }: Props): ChipProps =>
  approval ? { tone: 'waiting', icon: 'hourglass', word: 'approval.waits' } : isCorrected ? corrected : states[state]

/** State of a member's request for points. */
export const CashStatus = (props: Props) => <Chip {...cashChip(props)} />
