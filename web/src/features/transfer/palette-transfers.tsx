import { MAX_REMARK, MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { viewOfKind } from '@tallyroom/contract/transfer-kinds'
import { useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { typedAmount } from '../../lib/typed-amount.ts'
import { problemText } from '../../ui/form/amount-problem.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { lastRange, openEnd, rangeOfPeriod, rangeToSend, YEAR } from '../../ui/form/range.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { type Choice, MAX_CHOICES, type PaletteSource } from '../../ui/palette-source.ts'
import { transferIdOf } from './history-filter.ts'
import type { HistoryFilter } from './history-pages.ts'
import { movementText, type TransferRow } from '../../domain/transfer-words.ts'
import { typedPeriod } from './typed-period.ts'

const TransferDrawer = lazyPart(async () => (await import('./drawer.tsx')).TransferDrawer)

type Search = Pick<HistoryFilter, 'id' | 'min_amount' | 'max_amount' | 'username' | 'remark'>

/** What the text asks for: a period, an amount, and other words, which are a name or a part of a remark. */
const askedFor = (text: string, t: Translate) => {
  const { typed, rest } = typedPeriod(text, t)
  return { typed, rest, ...typedAmount(rest) }
}

/** An address of the log with what was found, and more. */
const logAddress = (filters: Record<string, string>) => `/transaction/list?${new URLSearchParams(filters).toString()}`

/** Transfers by amount, with or without a period, a part of a username or remark, and by number or id. */
export const transferSource: PaletteSource = {
  name: 'palette.transfers',
  useChoices: (text) => {
    const { t } = useWords()
    const [year] = useState(() => lastRange(YEAR))
    const debounced = useDebounced(text)
    const { typed, rest, amount, words, unclear } = askedFor(debounced, t)
    const range = typed && rangeOfPeriod(typed.period)
    const time = range ? rangeToSend(range) : { ...rangeToSend(year), end_time: openEnd(year) }
    const of = (search: Search, enabled: boolean) =>
      [
        'transaction/list',
        { ...time, per_page: MAX_CHOICES, ...search },
        { enabled, meta: { optional: true } },
      ] as const
    const id = transferIdOf(rest)
    const byId = useCall(...of({ id: id ?? '' }, id !== undefined))
    const amounts = { min_amount: amount ?? '1', max_amount: amount ?? '1', username: words }
    const byAmount = useCall(...of(amounts, amount !== undefined && words.length <= MAX_TYPED_NAME))
    // Words alone are of people and pages. "slip 4711" is rather a remark than an amount.
    const isRemark = amount !== undefined && words !== '' && rest.length <= MAX_REMARK
    const byRemark = useCall(...of({ remark: rest }, isRemark))
    const found = {
      id: byId.data?.data ?? [],
      amount: byAmount.data?.data ?? [],
      remark: byRemark.data?.data ?? [],
    }
    const period = typed ?? { period: 'month', name: t('range.this_month') }
    const all = (title: string, filters: Record<string, string>): Choice => ({
      key: `transfers ${title}`,
      kind: 'transfer',
      icon: 'list',
      title,
      detail: '',
      href: logAddress({ ...filters, time: period.period }),
    })
    const ofAmount =
      amount !== undefined && (words === '' || found.amount.length > 0)
        ? all(t('palette.all_of', { amount: exactAmount(amount), period: period.name }), {
            amount: `${amount}-${amount}`,
            ...(words ? { username: words } : {}),
          })
        : undefined
    const withRemark =
      found.remark.length > 0
        ? all(t('palette.all_with', { text: rest, period: period.name }), { remark: rest })
        : undefined
    const rows = new Map(
      [...found.id, ...found.amount, ...found.remark].map((row) => [row.transaction_id, row] as const),
    )
    const ids = new Set(found.id.map((row) => row.transaction_id))
    const last = [ofAmount, withRemark].filter((one) => one !== undefined)
    const now = askedFor(text, t)
    const wanted = now.amount !== undefined || transferIdOf(now.rest) !== undefined
    const isFetching = byId.isFetching || byAmount.isFetching || byRemark.isFetching
    return {
      choices:
        debounced === ''
          ? []
          : [
              ...[...rows.values()]
                .slice(0, MAX_CHOICES - last.length)
                .map((row) => choiceOf(row, t, ids.has(row.transaction_id))),
              ...last,
            ],
      searching: wanted && (debounced === '' || isFetching),
      error:
        debounced === ''
          ? null
          : (byId.error ?? byAmount.error ?? byRemark.error ?? (unclear ? new Error(problemText(t, unclear)) : null)),
    }
  },
}

const choiceOf = (row: TransferRow, t: Translate, isById: boolean): Choice => {
  const view = viewOfKind(row.type, row.corrects_type)
  const name = row.member_nickname || row.member_username
  return {
    key: `transfer ${row.transaction_id}`,
    kind: 'transfer',
    icon: 'points',
    title: `${movementText(row, t, name)} ${view?.sign ?? ''}${exactAmount(row.amount)}`,
    detail: [
      isById && t('palette.by_id', { id: row.id }),
      showMoment(row.created_at).slice(0, 16),
      row.user_username && t('points.by', { name: row.user_username }),
      row.remark,
    ]
      .filter(Boolean)
      .join(' · '),
    href: '',
    opens: (onClose) => <TransferDrawer id={row.transaction_id} onClose={onClose} />,
  }
}
