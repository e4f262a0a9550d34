import { envelopeStatusWords as envelopeWords, statusWords as words } from '@tallyroom/contract/words/code-words'
import type { WordKey } from '@tallyroom/locales'
import { useWords } from '../i18n/i18n.ts'
import { Icon, type IconName } from '../ui/icon.tsx'

const kinds = {
  0: { icon: 'alert', word: words[0], tone: 'refused' },
  1: { icon: 'check', word: words[1], tone: 'in' },
  2: { icon: 'close', word: words[2], tone: 'refused' },
  3: { icon: 'hourglass', word: words[3], tone: 'off' },
  4: { icon: 'clock', word: words[4], tone: 'waiting' },
} as const

const takenBack = { icon: 'takenBack', word: 'status.taken_back', tone: 'off' } as const

/** Labels in the record of red envelopes: there a transfer is something to receive. */
const envelopes = {
  ...kinds,
  0: { ...kinds[0], word: envelopeWords[0] },
  1: { ...kinds[1], word: envelopeWords[1] },
  4: { ...kinds[4], word: envelopeWords[4] },
} as const

const accounts = {
  0: { icon: 'close', word: 'status.frozen', tone: 'refused' },
  1: { icon: 'check', word: 'status.normal', tone: 'in' },
} as const

export type ChipProps = { tone: 'in' | 'refused' | 'off' | 'waiting'; icon: IconName; word: WordKey }

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

export const statusChip = (value: StatusProps['value'], corrected = false): ChipProps =>
  corrected ? takenBack : kinds[value]
export const envelopeChip = (value: StatusProps['value'], corrected = false): ChipProps =>
  corrected ? takenBack : envelopes[value]

/** Status of a transfer. */
export const Status = ({ value, corrected }: StatusProps) => <Chip {...statusChip(value, corrected)} />

/** Status of a red envelope. */
export const EnvelopeStatus = ({ value, corrected }: StatusProps) => <Chip {...envelopeChip(value, corrected)} />

/** Status of an account: active or frozen. What nearly every row says is no chip. */
export const AccountStatus = ({ value }: { value: 0 | 1 }) => {
  const { t } = useWords()
  return value === 1 ? <span className="status-usual">{t(accounts[1].word)}</span> : <Chip {...accounts[value]} />
}

/** What the status of a transfer can say, for a column that must be wide enough for each. */
export const statusWords = [...Object.values(kinds), takenBack].map(({ word }) => word)
export const envelopeStatusWords = [...Object.values(envelopes), takenBack].map(({ word }) => word)
