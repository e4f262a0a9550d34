import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import { isOpenCash } from '@tallyroom/contract/cash'
import { useId } from 'react'
import { errorText } from '../../api/error-text.ts'
import { useSend } from '../../api/use-call.ts'
import { showDuration } from '../../chat/view/messages/time.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Amount } from '../../ui/amount.tsx'
import { CashStatus } from '../../domain/cash-status.tsx'
import { Icon } from '../../ui/icon.tsx'
import { notify } from '../../ui/overlay/message.tsx'
import { Person } from '../../ui/person.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { CASH_WAIT } from '../../chat/model/wait.ts'
import { WaitingTime } from '../../chat/view/waiting-time.tsx'
import { accountOf } from './account-number.tsx'
import { warningWords } from './warning-words.ts'

type Props = {
  row: CashRow
  ownId: number | undefined
  isOpened: boolean
  /** Among the longest waiting. */
  isLoud: boolean
  onOpen: () => void
}

export const CashRequestRow = ({ row, ownId, isOpened, isLoud, onOpen }: Props) => {
  const { t } = useWords()
  const id = useId()
  const take = useSend('cash/take', { refreshes: ['cash/list', 'cash/open'] })
  const { bank, account_no } = accountOf(row)
  const isOpen = isOpenCash(row.state)
  const press = () => {
    if (row.state !== 'asked') return onOpen()
    take.mutate(
      { id: row.id },
      {
        onSuccess: onOpen,
        onError: (error) => notify.refused(errorText(error)),
      },
    )
  }
  const who = row.taken_by === ownId ? t('requests.you') : row.taken_name
  return (
    <tr
      aria-current={isOpened || undefined}
      onClick={(event) => !(event.target as Element).closest('button') && onOpen()}
    >
      <td>
        {isOpen ? (
          <WaitingTime since={row.asked_at} worded loud={isLoud} limits={CASH_WAIT} />
        ) : (
          <span className="points request-note">{showDuration(row.waits * 1000)}</span>
        )}
      </td>
      <td id={`${id}-who`}>
        <Person who={row} />
      </td>
      <td id={`${id}-way`}>{t(row.direction === 'out' ? 'cash.out' : 'cash.in')}</td>
      <td id={`${id}-amount`} className="request-right">
        <Amount value={row.amount} way={row.direction} />
      </td>
      <td>
        <bdi>{account_no ? `${bank} ${account_no}` : t('requests.none')}</bdi>
      </td>
      <td>
        {isOpen && !row.approval ? <Check row={row} /> : <CashStatus state={row.state} approval={row.approval} />}
      </td>
      <td>
        {row.state !== 'asked' && <span className="request-taker">{row.taken_by ? who : row.ended_name}</span>}
        <button
          type="button"
          data-open
          className="button request-small"
          aria-label={`${t(row.state === 'asked' ? 'cash.take' : 'cash.open')} ${t('requests.one', { n: row.id })}`}
          aria-describedby={`${id}-who ${id}-way ${id}-amount`}
          disabled={take.isPending}
          onClick={press}
        >
          {row.state === 'asked' ? t('cash.take') : <Icon name="chevronRight" size={16} />}
        </button>
      </td>
    </tr>
  )
}

const Check = ({ row }: { row: CashRow }) => {
  const { t } = useWords()
  const [first] = row.warnings
  const isDue = row.direction === 'out' && pointsOf(row.turnover_due) > 0n
  if (!first && !isDue && !row.maybe_paid)
    return (
      <span className="request-note">
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{t('requests.none')}</span>
      </span>
    )
  return (
    <span className="request-warning">
      <Icon name="alert" size={14} />
      {row.maybe_paid
        ? t('requests.warn_maybe_paid')
        : first
          ? t(warningWords[first])
          : t('requests.turnover_due', { amount: exactAmount(row.turnover_due) })}
    </span>
  )
}
