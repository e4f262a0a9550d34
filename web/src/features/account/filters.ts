import { AccountStatus } from '@tallyroom/contract/codes'
import { fold, foldWanted } from '@tallyroom/contract/text/fold'
import type { Answer, Input } from '@tallyroom/contract'
import { parsePoints } from '@tallyroom/contract/points'
import { useMemo } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { available } from '../../ui/amount.tsx'
import { type FilterField, type FilterValues } from '../../ui/filter-bar/fields.ts'
import { amountsOf } from '../../ui/filter-bar/amounts.ts'
import { daysOfPeriod } from '../../ui/form/range.ts'

type Row = Answer<'user/list'>['data'][number]
type Matches = (row: Row) => boolean

/** The part of the filters that the server searches (ACC-04). */
export const namesOf = ({ username, nickname }: FilterValues): Pick<Input<'user/list'>, 'username' | 'nickname'> => ({
  ...(username ? { username } : {}),
  ...(nickname ? { nickname } : {}),
})

export const useAccountFields = (hidesBalances: boolean, masked: boolean): readonly FilterField[] => {
  const { t } = useWords()
  return useMemo((): FilterField[] => {
    const username = t('account.username')
    const fields: (FilterField | false)[] = [
      {
        kind: 'text',
        key: 'username',
        label: username,
        placeholder: masked ? t('account.username_exact') : username,
        inline: true,
      },
      { kind: 'text', key: 'nickname', label: t('account.nickname'), inline: true },
      { kind: 'period', key: 'seen', label: t('account.last_seen'), isLabelShown: true },
      {
        kind: 'choice',
        key: 'status',
        label: t('account.status'),
        options: [
          { value: String(AccountStatus.active), label: t('status.normal') },
          { value: String(AccountStatus.frozen), label: t('status.frozen') },
        ],
      },
      !hidesBalances && { kind: 'amounts', key: 'balance', label: t('shell.balance') },
    ]
    return fields.filter((field) => field !== false)
  }, [t, hidesBalances, masked])
}

/**
 * Which rows fit what is typed and set; undefined when nothing is. `searched`: the names that the server has searched for
 * a viewer of masked usernames, whose rows do not show what fits.
 */
export const accountMatcher = (typed: FilterValues, searched: FilterValues | undefined): Matches | undefined => {
  const parts = [
    includes((row) => row.username, searched ? '' : typed.username),
    includes((row) => row.nickname, typed.nickname === searched?.nickname ? '' : typed.nickname),
    hasStatus(typed.status),
    hasBalance(typed.balance),
    wasSeen(typed.seen),
  ].filter((part) => part !== undefined)
  return parts.length ? (row) => parts.every((part) => part(row)) : undefined
}

/** ACC-05: a part of the name, as the server compares it. */
const includes = (nameOf: (row: Row) => string, text = ''): Matches | undefined => {
  const wanted = foldWanted(text)
  return wanted ? (row) => fold(nameOf(row)).includes(wanted) : undefined
}

const hasStatus = (status: string | undefined): Matches | undefined =>
  status ? (row) => String(row.status) === status : undefined

const hasBalance = (range: string | undefined): Matches | undefined => {
  const { min, max } = amountsOf(range)
  if (!min && !max) return undefined
  const [least, most] = [min ? parsePoints(min) : undefined, max ? parsePoints(max) : undefined]
  return (row) => {
    if (row.unlimited) return most === undefined
    const points = available(row)
    return (least === undefined || points >= least) && (most === undefined || points <= most)
  }
}

const wasSeen = (period: string | undefined): Matches | undefined => {
  const days = daysOfPeriod(period ?? '')
  if (!days) return undefined
  return ({ last_seen_at: at }) => {
    const day = at === null ? '' : showMoment(at).slice(0, 10)
    return day >= days.start && day <= days.end
  }
}
