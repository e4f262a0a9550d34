import type { WordKey } from '@tallyroom/locales'
import { useWords } from '../i18n/i18n.ts'
import { Icon, type IconName } from './icon.tsx'

const kinds = {
  0: { icon: 'alert', word: 'status.failed', tone: 'refused' },
  1: { icon: 'check', word: 'status.success', tone: 'in' },
  2: { icon: 'close', word: 'status.rejected', tone: 'refused' },
  3: { icon: 'hourglass', word: 'status.expired', tone: 'off' },
  4: { icon: 'clock', word: 'status.pending', tone: 'waiting' },
} as const

/** The label of a transfer's status. */
export const statusWord = (value: keyof typeof kinds): WordKey => kinds[value].word

const takenBack = { icon: 'takenBack', word: 'status.taken_back', tone: 'off' } as const

/** Labels in the record of red envelopes: there a transfer is something to receive. */
const envelopes = {
  ...kinds,
  0: { ...kinds[0], word: 'envelope.not_received' },
  1: { ...kinds[1], word: 'envelope.received' },
  4: { ...kinds[4], word: 'envelope.pending' },
} as const

const accounts = {
  0: { icon: 'close', word: 'status.frozen', tone: 'refused' },
  1: { icon: 'check', word: 'status.normal', tone: 'in' },
} as const

type ChipProps = { tone: 'in' | 'refused' | 'off' | 'waiting'; icon: IconName; word: WordKey }

/** Label, icon and colour: a reader needs only one of them. */
export const Chip = ({ tone, icon, word }: ChipProps) => {
  const { t } = useWords()
  return (
    <span className={`chip chip-${tone}`}>
      <Icon name={icon} size={12} />
      {t(word)}
    </span>
  )
}

type StatusProps = { value: 0 | 1 | 2 | 3 | 4; corrected?: boolean }

/** Status of a transfer. */
export const Status = ({ value, corrected = false }: StatusProps) => (
  <Chip {...(corrected ? takenBack : kinds[value])} />
)

/** Status of a red envelope. */
export const EnvelopeStatus = ({ value, corrected = false }: StatusProps) => (
  <Chip {...(corrected ? takenBack : envelopes[value])} />
)

/** Status of an account: active or frozen. What nearly every row says is no chip. */
export const AccountStatus = ({ value }: { value: 0 | 1 }) => {
  const { t } = useWords()
  return value === 1 ? <span className="status-usual">{t(accounts[1].word)}</span> : <Chip {...accounts[value]} />
}

/** What the status of a transfer can say, for a column that must be wide enough for each. */
export const statusWords = [...Object.values(kinds), takenBack].map(({ word }) => word)
export const envelopeStatusWords = [...Object.values(envelopes), takenBack].map(({ word }) => word)
