import { TRANSFER_ID, viewOfKind } from '@tallyroom/contract/transfer-kinds'
import { useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { typedAmount } from '../../lib/typed-amount.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { lastRange, openEnd, rangeToSend, YEAR } from '../../ui/form/range.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { type Choice, MAX_CHOICES, type PaletteSource } from '../../ui/palette-source.ts'
import { movementText, type TransferRow } from './kinds.ts'

const TransferDrawer = lazyPart(async () => (await import('./drawer.tsx')).TransferDrawer)

/** Transfers by amount, with or without a part of a username, and by number or id. Each opens with its details. */
export const transferSource: PaletteSource = {
  name: 'palette.transfers',
  useChoices: (text) => {
    const { t } = useWords()
    const [range] = useState(() => lastRange(YEAR))
    const debounced = useDebounced(text)
    const { amount, words } = typedAmount(debounced)
    const time = { ...rangeToSend(range), end_time: openEnd(range), per_page: MAX_CHOICES }
    const of = (
      filter: { id: string } | { min_amount: string; max_amount: string; username: string },
      enabled: boolean,
    ) => ['transaction/list', { ...time, ...filter }, { enabled, meta: { optional: true } }] as const
    const byId = useCall(...of({ id: debounced }, TRANSFER_ID.test(debounced)))
    const amounts = { min_amount: amount ?? '1', max_amount: amount ?? '1', username: words }
    const byAmount = useCall(...of(amounts, amount !== undefined && words.length <= 64))
    const choice = (row: TransferRow): Choice => {
      const view = viewOfKind(row.type, row.corrects_type)
      const name = row.member_nickname || row.member_username
      return {
        key: `transfer ${row.transaction_id}`,
        kind: 'transfer',
        icon: 'points',
        title: `${movementText(row, t, name)} ${view?.sign ?? ''}${exactAmount(row.amount)}`,
        detail: [
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
    const all = (text: string): Choice => ({
      key: `transfers ${text}`,
      kind: 'transfer',
      icon: 'list',
      title: t('palette.all_of', { amount: exactAmount(text) }),
      detail: '',
      href: `/transaction/list?${new URLSearchParams({ amount: `${text}-${text}`, time: 'month', ...(words ? { username: words } : {}) }).toString()}`,
    })
    const found = [...(byId.data?.data ?? []), ...(byAmount.data?.data ?? [])]
    const wanted = typedAmount(text).amount !== undefined || TRANSFER_ID.test(text)
    return {
      choices:
        debounced === ''
          ? []
          : [...found.slice(0, MAX_CHOICES - 1).map(choice), ...(amount === undefined ? [] : [all(amount)])],
      searching: wanted && (debounced === '' || byId.isFetching || byAmount.isFetching),
      error: debounced === '' ? null : (byId.error ?? byAmount.error),
    }
  },
}
