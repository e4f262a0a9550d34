import { useWords } from '../words.ts'

const kinds = {
  0: { shape: '!', word: 'status.failed', look: 'refused' },
  1: { shape: '✓', word: 'status.success', look: 'in' },
  2: { shape: '✕', word: 'status.rejected', look: 'refused' },
  3: { shape: '⌛\uFE0E', word: 'status.expired', look: 'off' },
  4: { shape: '◷', word: 'status.pending', look: 'waiting' },
} as const

const takenBack = { shape: '↩\uFE0E', word: 'status.taken_back', look: 'off' } as const

type StatusProps = { value: 0 | 1 | 2 | 3 | 4; corrected?: boolean }

/** Where a transfer stands: a word, a shape and a colour, so that none of them is needed. */
export const Status = ({ value, corrected = false }: StatusProps) => {
  const { t } = useWords()
  const { shape, word, look } = corrected ? takenBack : kinds[value]
  return (
    <span className={`chip chip-${look}`}>
      <span className="chip-shape" aria-hidden="true">
        {shape}
      </span>
      {t(word)}
    </span>
  )
}

/** Whether an account may act. */
export const AccountStatus = ({ value }: { value: 0 | 1 }) => {
  const { t } = useWords()
  return (
    <span className={`chip chip-${value === 1 ? 'in' : 'refused'}`}>
      <span className="chip-shape" aria-hidden="true">
        {value === 1 ? '✓' : '✕'}
      </span>
      {t(value === 1 ? 'status.normal' : 'status.frozen')}
    </span>
  )
}
