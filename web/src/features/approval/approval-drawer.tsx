import { Role } from '@tallyroom/contract/codes'
import type { Input } from '@tallyroom/contract'
import type { ApprovalRow } from '@tallyroom/contract/calls/points/approval'
import type { ApprovalState } from '@tallyroom/contract/limits'
import { isTaking, transferKinds } from '@tallyroom/contract/transfer-kinds'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { newRequestId, refusedBy } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import { signPoints } from '../../api/passkey.ts'
import { refresh, useCall, useSend } from '../../api/use-call.ts'
import { attachmentText, isPoints, transferText } from '../../chat/model/message-kinds.ts'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { Amount, exactText } from '../../ui/amount.tsx'
import { Icon } from '../../ui/icon.tsx'
import { notify } from '../../ui/overlay/message.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { Fact } from '../../ui/fact.tsx'
import { QueueDrawer, QueueMember } from '../cash/queue-drawer.tsx'
import { PaymentProof } from '../../domain/transfer-steps/step-parts.tsx'
import { type WalletDifference, Wallets } from '../../domain/transfer-steps/wallets.tsx'
import { Decide, EndLines, WithdrawButton } from './decide.tsx'
import { ApprovalStatus, memberOf, overWord, stateWords } from './parts.tsx'
import '../../domain/transfer-steps/steps.css'
import { AccountLink } from '../../domain/account-link.tsx'

/** One transfer above a limit: what it changes, why it waits, and the last of the conversation. */
export const ApprovalDrawer = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const { t } = useWords()
  const found = useCall('approval/list', { id }, { keepPrevious: false })
  const row = found.data?.data[0]
  return (
    <QueueDrawer
      title={t('approval.one', { n: id })}
      found={found}
      missing={found.data && !row ? t('approval.not_mine') : undefined}
      footer={row?.state === 'waiting' && (row.may_decide || row.is_own) ? <Acts row={row} onClose={onClose} /> : null}
      onClose={onClose}
    >
      {row && <Details row={row} />}
    </QueueDrawer>
  )
}

const Details = ({ row }: { row: ApprovalRow }) => {
  const { t } = useWords()
  const takes = isTaking(row.type)
  const member = memberOf(row)
  const wallets = walletsOf(row)
  return (
    <div className="request-parts">
      <QueueMember who={member} room={row.room ? { ...row.room, member_id: row.member_id } : undefined} />
      <div>
        <span className="request-line">
          {t(transferKinds[row.type].word)} <ApprovalStatus state={row.state} />
        </span>
        <p className="amount-large">
          <Amount exact value={row.amount} way={takes ? 'out' : 'in'} />
        </p>
      </div>
      {wallets.length > 0 && <Wallets differences={takes ? wallets.toReversed() : wallets} />}
      <ul className="request-checks">
        <li data-warns>
          <Icon name="alert" size={16} />
          <span>
            {overWord(t, row)}
            <span className="request-note">{t('approval.holder', { name: row.holder_name })}</span>
          </span>
        </li>
      </ul>
      <dl className="lines">
        {row.cash_id !== null && (
          <Fact label={t('requests.number')}>
            <Link to="/cash" search={{ request: row.cash_id }}>
              {row.cash_id}
            </Link>
          </Fact>
        )}
        <Fact label={t('approval.maker')}>
          <AccountLink who={{ username: row.maker_username, role_id: Role.agent }}>
            <bdi>{row.maker_nickname || row.maker_username}</bdi>
          </AccountLink>
        </Fact>
        {row.reason && <Fact label={t('requests.reason')}>{row.reason}</Fact>}
        {row.remark && <Fact label={t('transfer.remark')}>{row.remark}</Fact>}
        {row.bank_reference && <Fact label={t('requests.reference')}>{row.bank_reference}</Fact>}
        <Fact label={t('requests.asked_at')}>
          <span className="points">{showMoment(row.made_at)}</span>
        </Fact>
        <EndLines row={row} />
      </dl>
      {row.messages.length > 0 && <Messages row={row} />}
    </div>
  )
}

const walletsOf = ({
  funder,
  target,
  funder_name,
  member_nickname,
  member_username,
}: ApprovalRow): WalletDifference[] =>
  funder && target
    ? [
        { owner: <bdi>{funder_name}</bdi>, before: pointsOf(funder.before), after: pointsOf(funder.after) },
        {
          owner: <bdi>{member_nickname || member_username}</bdi>,
          before: pointsOf(target.before),
          after: pointsOf(target.after),
        },
      ]
    : []

const Messages = ({ row }: { row: ApprovalRow }) => {
  const { t } = useWords()
  const id = useId()
  return (
    // Focusable, so that the arrow keys can scroll a drawer that is too low for it.
    <section tabIndex={0} aria-labelledby={id}>
      <h2 id={id}>{t('approval.messages')}</h2>
      <ul className="approval-messages">
        {row.messages.map(({ at, name, from_member, ...message }) => (
          <li key={`${at}${message.content}`} data-member={from_member === 1 || undefined}>
            <span className="request-note">
              <bdi>{name}</bdi> <time className="points">{showMoment(at).slice(5, 16)}</time>
            </span>
            <span dir="auto">{lineOf(message, t) || '…'}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A message in one line: points and attachments have no words of their own. */
const lineOf = ({ type, content }: Pick<ApprovalRow['messages'][number], 'type' | 'content'>, t: Translate) =>
  attachmentText(type, content, t) ??
  (isPoints(type) ? transferText({ type, transaction_type: null, transaction_status: null }, content, t) : content)

const refreshes = ['approval/list', 'approval/open', 'user/view', 'transaction/list', 'cash/list', 'cash/open'] as const

const Acts = ({ row, onClose }: { row: ApprovalRow; onClose: () => void }) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const approve = useSend('approval/approve', { refreshes: [...refreshes] })
  const refuse = useSend('approval/refuse', { refreshes: [...refreshes] })
  const withdraw = useSend('approval/withdraw', { refreshes: [...refreshes] })
  const [password, setPassword] = useState<string>()
  const isBusy = approve.isPending || refuse.isPending || withdraw.isPending
  const onSuccess = ({ state }: { state: ApprovalState }) => {
    notify.done(t(stateWords[state]))
    onClose()
  }
  const onError = (error: Error) => {
    if (refusedBy('approval/approve', error, 'transfer.needs_payment_password')) return setPassword('')
    notify.refused(errorText(error))
    void refresh(cache, refreshes)
  }
  const send = (proof: Partial<Input<'approval/approve'>> = {}) =>
    approve.mutate({ id: row.id, seen: row.seen, ...proof }, { onSuccess, onError })
  const sign = async () => {
    const request_id = newRequestId()
    try {
      send({ passkey: await signPoints({ call: 'approval/approve', id: row.id, request: request_id }), request_id })
    } catch (error) {
      onError(error as Error)
    }
  }
  if (row.may_decide === 0)
    return <WithdrawButton isBusy={isBusy} onWithdraw={() => withdraw.mutate({ id: row.id }, { onSuccess, onError })} />
  return (
    <Decide
      act={t('approval.approve', { amount: exactText(pointsOf(row.amount)) })}
      isBusy={isBusy}
      mayApprove={password !== ''}
      onApprove={() => send(password ? { payment_password: password } : {})}
      onRefuse={(reason) => refuse.mutate({ id: row.id, reason }, { onSuccess, onError })}
    >
      {password !== undefined && (
        <PaymentProof password={password} onPassword={setPassword} isSending={approve.isPending} onSign={sign} />
      )}
    </Decide>
  )
}
