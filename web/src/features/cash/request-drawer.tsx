import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import { isOpenCash } from '@tallyroom/contract/cash'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { errorText } from '../../api/error-text.ts'
import { refresh, useCall, useSend } from '../../api/use-call.ts'
import { mediaSrc } from '../../chat/model/media-src.ts'
import { Slip } from '../../chat/view/slip.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { Amount } from '../../ui/amount.tsx'
import { CashReason } from '../../domain/cash-reason.tsx'
import { CashStatus } from '../../domain/cash-status.tsx'
import { Fact } from '../../ui/fact.tsx'
import { takeFocus } from '../../ui/keyboard/focus.ts'
import { Icon } from '../../ui/icon.tsx'
import { notify } from '../../ui/overlay/message.tsx'
import { nameOf } from '../../ui/person.tsx'
import { exactAmount as showAmount } from '../../chat/model/message-kinds.ts'
import { SharesNumber } from './account-number.tsx'
import { CASH_WAIT } from '../../chat/model/wait.ts'
import { WaitingTime } from '../../chat/view/waiting-time.tsx'
import { CashChecks } from './cash-checks.tsx'
import { PayDialog } from './pay-dialog.tsx'
import { PayTo } from './pay-to.tsx'
import { QueueDrawer, QueueMember } from './queue-drawer.tsx'
import { RefuseDialog } from './refuse-dialog.tsx'
import { useLiveCashRequests } from '../../chat/view/cards/use-open-requests.ts'
import { useLease } from './use-lease.ts'

type Props = { id: number; inRoom?: boolean; onClose: () => void }

/** One request: who asks, what is unusual, and what the taker may do. */
export const CashRequestDrawer = ({ id: first, inRoom = false, onClose: close }: Props) => {
  const { t } = useWords()
  /** A request that the first one's warning is about: closing it leads back. */
  const [other, setOther] = useState<number>()
  const id = other ?? first
  const onClose = other === undefined ? close : () => setOther(undefined)
  const found = useCall('cash/list', { id }, { keepPrevious: false })
  const own = useCall('user/view', {})
  const [dialog, setDialog] = useState<'pay' | 'refuse'>()
  const row = found.data?.data[0]
  useLiveCashRequests()
  useUntilCompared(row)
  return (
    <SharesNumber key={id}>
      <QueueDrawer
        title={t('requests.one', { n: id })}
        found={found}
        missing={found.data && !row ? t('cash.not_found') : undefined}
        footer={row && isOpenCash(row.state) ? <Acts row={row} onOpen={setDialog} onClose={onClose} /> : null}
        onClose={onClose}
      >
        {row && <Details row={row} inRoom={inRoom} onOpen={setOther} />}
        {/* Not in the footer: a lease that ends changes that, and what was typed here would be gone without a word. */}
        {row && dialog === 'pay' && own.data && (
          <PayDialog row={row} own={own.data} onPaid={onClose} onClose={() => setDialog(undefined)} />
        )}
        {row && dialog === 'refuse' && (
          <RefuseDialog row={row} onRefused={onClose} onClose={() => setDialog(undefined)} />
        )}
      </QueueDrawer>
    </SharesNumber>
  )
}

/** A slip is compared within seconds. */
const LOOK_AGAIN_MS = 3000
const useUntilCompared = (row: CashRow | undefined) => {
  const cache = useQueryClient()
  const isWaiting = row?.slip_compared === 0
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => void refresh(cache, ['cash/list']), LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [cache, isWaiting])
}

type DetailsProps = { row: CashRow; inRoom: boolean; onOpen: (id: number) => void }
const Details = ({ row, inRoom, onOpen }: DetailsProps) => {
  const { t } = useWords()
  const isOut = row.direction === 'out'
  return (
    <div className="request-parts">
      <QueueMember who={row} room={inRoom ? undefined : row} />
      <div>
        <span className="request-line">
          {t(isOut ? 'cash.out' : 'cash.in')} <CashStatus state={row.state} approval={row.approval} />
          {isOpenCash(row.state) && <WaitingTime since={row.asked_at} worded loud={false} limits={CASH_WAIT} />}
        </span>
        <p className="amount-large">
          <Amount exact value={row.amount} way={row.direction} />
        </p>
        {isOut && isOpenCash(row.state) && <p className="request-note">{t('requests.held')}</p>}
        <CashReason {...row} />
      </div>
      {isOpenCash(row.state) && <CashChecks row={row} onOpen={onOpen} />}
      <dl className="lines">
        {row.account_no && <PayTo row={row} />}
        {row.pay_to && (
          <Fact label={t('requests.paid_to')}>
            <bdi>{row.pay_to}</bdi>
          </Fact>
        )}
        <Fact label={t('requests.free')}>
          <Amount value={row.balance} />
        </Fact>
        <Fact label={t('requests.asked_at')}>
          <span className="points">{showMoment(row.asked_at)}</span>
        </Fact>
        {row.ended_at && (
          <Fact label={t('requests.ended_at')}>
            <span className="points">{showMoment(row.ended_at)}</span>
          </Fact>
        )}
        {row.bank_reference && !row.maybe_paid?.reference && (
          <Fact label={t('requests.reference')}>
            <bdi>{row.bank_reference}</bdi>
          </Fact>
        )}
        {row.ended_name && <Fact label={t('requests.ended_by')}>{row.ended_name}</Fact>}
      </dl>
      {row.slip && <Slip src={mediaSrc(row.slip)} />}
      <section>
        <h2>{t('requests.last')}</h2>
        {row.last.length === 0 && <p className="request-note">{t('requests.no_last')}</p>}
        <ul className="request-last">
          {row.last.map(({ at, direction, amount }) => (
            <li key={`${at}${amount}`}>
              <time className="points">{showMoment(at).slice(5, 16)}</time>
              <span>{t(direction === 'out' ? 'cash.out' : 'cash.in')}</span>
              <Amount value={amount} way={direction} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

type ActsProps = { row: CashRow; onOpen: (dialog: 'pay' | 'refuse') => void; onClose: () => void }

const Acts = ({ row, onOpen, onClose }: ActsProps) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const own = useCall('user/view', {})
  const refreshes = ['cash/list', 'cash/open', 'cash/day'] as const
  const take = useSend('cash/take', { refreshes: [...refreshes] })
  const giveBack = useSend('cash/giveBack', { refreshes: [...refreshes] })
  const isMine = row.state === 'taken' && row.taken_by === own.data?.id
  useLease(row.id, isMine)
  // The dialog needs it: with it there, the key that opens the dialog and the one that confirms may follow at once.
  useCall('member/view', { member_id: row.member_id }, { enabled: isMine })
  const onError = (error: Error) => {
    notify.refused(errorText(error))
    void refresh(cache, refreshes)
  }
  if (row.state === 'taken' && !isMine)
    return <p className="request-note">{t('cash.taken_by', { name: row.taken_name })}</p>
  if (!isMine)
    return (
      <button
        type="button"
        className="button button-main request-wide"
        disabled={take.isPending}
        onClick={() => take.mutate({ id: row.id }, { onError })}
      >
        {t('cash.take')}
      </button>
    )
  if (row.approval) return <p className="request-note">{t('approval.asked')}</p>
  const name = nameOf(row)
  const amount = showAmount(row.amount)
  return (
    <>
      <p className="request-lock">
        <Icon name="lock" size={14} />
        {t('requests.locked')}
      </p>
      <div className="request-acts">
        <button type="button" className="button button-danger" onClick={() => onOpen('refuse')}>
          {t('requests.refuse')}
        </button>
        <button
          type="button"
          className="button"
          disabled={giveBack.isPending}
          onClick={() => giveBack.mutate({ id: row.id }, { onError, onSuccess: onClose })}
        >
          {t('requests.give_back')}
        </button>
        <button type="button" ref={takeFocus} className="button button-main" onClick={() => onOpen('pay')}>
          {t(row.direction === 'out' ? 'requests.pay_out' : 'requests.pay_in', { amount, name })}
        </button>
      </div>
    </>
  )
}
