import type { WordKey } from '@tallyroom/locales'
import { useWords } from '../i18n/i18n.ts'
import { Icon, type IconName } from './icon.tsx'

const kinds = {
  0: { icon: 'alert', word: 'status.failed', look: 'refused' },
  1: { icon: 'check', word: 'status.success', look: 'in' },
  2: { icon: 'close', word: 'status.rejected', look: 'refused' },
  3: { icon: 'hourglass', word: 'status.expired', look: 'off' },
  4: { icon: 'clock', word: 'status.pending', look: 'waiting' },
} as const

const takenBack = { icon: 'takenBack', word: 'status.taken_back', look: 'off' } as const

/** What the record of red envelopes calls them: there a transfer is something to receive. */
const envelopes = {
  ...kinds,
  0: { ...kinds[0], word: 'envelope.not_received' },
  1: { ...kinds[1], word: 'envelope.received' },
  4: { ...kinds[4], word: 'envelope.pending' },
} as const

const accounts = {
  0: { icon: 'close', word: 'status.frozen', look: 'refused' },
  1: { icon: 'check', word: 'status.normal', look: 'in' },
} as const

type ChipProps = { look: 'in' | 'refused' | 'off' | 'waiting'; icon: IconName; word: WordKey }

/** A word, a shape and a colour, so that none of them is needed. */
export const Chip = ({ look, icon, word }: ChipProps) => {
  const { t } = useWords()
  return (
    <span className={`chip chip-${look}`}>
      <Icon name={icon} size={12} />
      {t(word)}
    </span>
  )
}

type StatusProps = { value: 0 | 1 | 2 | 3 | 4; corrected?: boolean }

/** Where a transfer stands. */
export const Status = ({ value, corrected = false }: StatusProps) => (
  <Chip {...(corrected ? takenBack : kinds[value])} />
)

/** What became of a red envelope. */
export const EnvelopeStatus = ({ value, corrected = false }: StatusProps) => (
  <Chip {...(corrected ? takenBack : envelopes[value])} />
)

/** Whether an account may act. */
export const AccountStatus = ({ value }: { value: 0 | 1 }) => <Chip {...accounts[value]} />
