import { MAX_REMARK } from '@tallyroom/contract/lengths'
import { cutText } from '@tallyroom/contract/text/cut-text'
import { typedKey } from '@tallyroom/contract/text/typed-key'
import { TRANSFER_ID, transferKinds } from '@tallyroom/contract/transfer-kinds'
import type { TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import type { Translate } from '../../i18n/i18n.ts'
import { choicesOf, type FilterField, type FilterValues } from '../../ui/filter-bar/fields.ts'
import { amountsOf } from '../../ui/filter-bar/amounts.ts'
import { statusWords } from '@tallyroom/contract/words/code-words'
import { kindWord } from '../../domain/transfer-words.ts'
import type { HistoryFilter } from './history-pages.ts'

const kinds = Object.keys(transferKinds)
const statuses = ['1', '4', '2', '3', '0']
/** No transfer has this number: what cannot be an id finds nothing. */
const NO_ID = '0'

/** The number or id of a transfer in a typed or pasted text, if it is one. */
export const transferIdOf = (text: string): string | undefined => {
  const id = typedKey(text)
  return TRANSFER_ID.test(id) ? id : undefined
}

/** What these fields set, as the calls take it. An address can hold anything. */
export const narrowedBy = (values: FilterValues): Partial<HistoryFilter> => {
  const { min, max } = amountsOf(values.amount)
  const types = choicesOf(values.kind, kinds).map((kind) => Number(kind) as TransferKind)
  const states = choicesOf(values.status, statuses).map((status) => Number(status) as TransferStatus)
  const { remark, id, room } = values
  return {
    ...(min ? { min_amount: min } : {}),
    ...(max ? { max_amount: max } : {}),
    ...(types.length ? { types } : {}),
    ...(states.length ? { statuses: states } : {}),
    ...(remark ? { remark: cutText(remark, MAX_REMARK) } : {}),
    ...(id ? { id: transferIdOf(id) ?? NO_ID } : {}),
    ...(room ? { room: cutText(room, 64) } : {}),
  }
}

export const narrowingFields = (t: Translate): FilterField[] => [
  { kind: 'amounts', key: 'amount', label: t('transfer.amount') },
  {
    kind: 'choices',
    key: 'kind',
    label: t('history.kind'),
    options: kinds.map((kind) => ({ value: kind, label: t(kindWord(Number(kind))) })),
  },
  {
    kind: 'choices',
    key: 'status',
    label: t('account.status'),
    options: statuses.map((status) => ({ value: status, label: t(statusWords[Number(status) as TransferStatus]) })),
  },
  { kind: 'text', key: 'remark', label: t('transfer.remark'), maxLength: MAX_REMARK },
  { kind: 'text', key: 'id', label: t('history.id') },
  { kind: 'given', key: 'room', label: t('history.room'), shown: t('history.room') },
]
