import type { Input } from '@tallyroom/contract'
import { type CashDirection, type CashState, cashDirections } from '@tallyroom/contract/cash'
import { useMemo } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import type { FilterField, FilterValues } from '../../ui/filter-bar/fields.ts'
import type { KnownView } from '../../ui/filter-bar/list-views.tsx'
import { type Days, daysOfPeriod, daysOfPreset } from '../../ui/form/range.ts'

/** Which requests the queue shows. */
type CashRequestFilter = Omit<Input<'cash/list'>, 'id' | 'after' | 'per_page'>

const ended: Record<string, CashState[]> = { paid: ['paid'], refused: ['refused'], ended: ['paid', 'refused'] }

export const daysOf = ({ time = '' }: FilterValues): Days => daysOfPeriod(time) ?? daysOfPreset('today')

/** Open requests are shown whenever they were asked; those that ended, and all, of the days that are set. */
export const filterOf = (values: FilterValues): CashRequestFilter => {
  const { state = '', direction, by = '' } = values
  const { start, end } = daysOf(values)
  const until = start === end ? {} : { until: end }
  const states = ended[state]
  const rest = {
    ...(isDirection(direction) ? { direction } : {}),
    ...(/^[1-9]\d{0,8}$/.test(by) ? { ended_by: Number(by) } : {}),
  }
  if (states) return { states, ended_on: start, ...until, ...rest }
  return state === 'all' ? { asked_on: start, ...until, ...rest } : { states: ['asked', 'taken'], ...rest }
}

const isDirection = (text: string | undefined): text is CashDirection => cashDirections.some((one) => one === text)

export const useCashRequestViews = (open: number | undefined): readonly KnownView[] => {
  const { t } = useWords()
  return useMemo(
    () => [
      { label: t('requests.open'), filters: {}, base: true, count: open },
      { label: t('cash.state_paid'), filters: { state: 'paid' }, base: true },
      { label: t('cash.state_refused'), filters: { state: 'refused' }, base: true },
      { label: t('requests.all'), filters: { state: 'all' }, base: true },
    ],
    [t, open],
  )
}

/** `ender`: the name of the colleague by whom the requests are filtered. */
export const useCashRequestFields = (ender: string | undefined): readonly FilterField[] => {
  const { t } = useWords()
  return useMemo(
    (): FilterField[] => [
      { kind: 'hidden', key: 'state', label: t('account.status') },
      { kind: 'period', key: 'time', label: t('range.presets'), fallback: 'today' },
      {
        kind: 'choice',
        key: 'direction',
        label: t('requests.points'),
        options: [
          { value: 'in', label: t('cash.in') },
          { value: 'out', label: t('cash.out') },
        ],
      },
      { kind: 'given', key: 'by', label: t('requests.person'), shown: ender ?? '…' },
    ],
    [t, ender],
  )
}
