import type { ReactNode } from 'react'
import { useWords } from '../words.ts'
import { Icon, type IconName } from './icon.tsx'

const kinds = {
  0: { icon: 'alert', word: 'status.failed', look: 'refused' },
  1: { icon: 'check', word: 'status.success', look: 'in' },
  2: { icon: 'close', word: 'status.rejected', look: 'refused' },
  3: { icon: 'hourglass', word: 'status.expired', look: 'off' },
  4: { icon: 'clock', word: 'status.pending', look: 'waiting' },
} as const

const takenBack = { icon: 'takenBack', word: 'status.taken_back', look: 'off' } as const

export type ChipLook = 'in' | 'refused' | 'off' | 'waiting'
type ChipProps = { look: ChipLook; icon: IconName; children: ReactNode }

/** A word, a shape and a colour, so that none of them is needed. */
export const Chip = ({ look, icon, children }: ChipProps) => (
  <span className={`chip chip-${look}`}>
    <Icon name={icon} size={12} />
    {children}
  </span>
)

type StatusProps = { value: 0 | 1 | 2 | 3 | 4; corrected?: boolean }

/** Where a transfer stands. */
export const Status = ({ value, corrected = false }: StatusProps) => {
  const { t } = useWords()
  const { icon, word, look } = corrected ? takenBack : kinds[value]
  return (
    <Chip look={look} icon={icon}>
      {t(word)}
    </Chip>
  )
}

/** Whether an account may act. */
export const AccountStatus = ({ value }: { value: 0 | 1 }) => {
  const { t } = useWords()
  return value === 1 ? (
    <Chip look="in" icon="check">
      {t('status.normal')}
    </Chip>
  ) : (
    <Chip look="refused" icon="close">
      {t('status.frozen')}
    </Chip>
  )
}
