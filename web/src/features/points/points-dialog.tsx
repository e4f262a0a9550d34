import { TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { transferKinds } from '@tallyroom/contract/transfer-kinds'
import type { Answer, Input } from '@tallyroom/contract'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { signPoints } from '../../api/passkey.ts'
import { refresh } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Amount } from '../../ui/amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { amountError } from '../../ui/form/amount-problem.ts'
import { amountToSend } from '../../ui/form/amount-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { isMasked } from '../../domain/masked.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { nameOf, Person } from '../../ui/person.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { PointsSteps } from '../../domain/transfer-steps/steps.tsx'
import type { Confirmation } from '../../domain/transfer-steps/step-parts.tsx'
import type { SendExtras, SignPoints, TransferResult } from '../../domain/transfer-steps/use-transfer-steps.ts'
import { confirmationOf } from './points-confirmation.tsx'
import { PointsFields, type PointsForm, type PointsErrors } from './points-fields.tsx'
import { ApprovalNotice, askWords, needsApproval } from './points-notices.tsx'
import {
  asksTurnover,
  defaultTurnover,
  exceeded,
  isUnlimited,
  type Kind,
  type MemberView,
  spendable,
  stopOf,
  takes,
  turnoverError,
  turnoverToSend,
  walletOf,
  withoutMinus,
} from './points-kinds.ts'
import { useLocked } from './use-locked.ts'
import './points.css'

type OwnAccount = Answer<'user/view'>
/**
 * A member's request that the transfer fulfils. Kind and amount cannot be changed, and nothing need be filled in, so the
 * dialog begins with its confirmation. Above a limit it begins with the form, which asks for a reason for the approver.
 */
export type Bound = {
  kind: Kind
  amount: string
  title: string
  /** The last look, from that of the same transfer without a request. */
  confirm: (transfer: Confirmation) => Confirmation
  sign: SignPoints
  /** Ends the request with the transfer. */
  send: (terms: BoundTerms & SendExtras) => Promise<TransferResult>
  /** `waits`: it is above a limit and waits for approval. */
  onMoved: (waits: boolean) => void
}
type BoundTerms = Pick<Input<'cash/pay'>, 'remark' | 'audit_amount' | 'override_flow_limit' | 'reason'>
type Props = {
  /** Where the points are given. Without one they are those of an account in the downline, from its list. */
  room?: Pick<RoomSummary, 'code'>
  title?: string
  own: OwnAccount
  member: MemberView
  bound?: Bound
  /** What the amount begins with. */
  amount?: string
  /** What was typed while this dialog was loading: the amount goes on from there. */
  typed?: string
  onMoved?: () => void
  onClose: () => void
}

/** Keeps what was refused by room or account: a refusal that closes the dialog (1414) must not lose it. Shown once. */
const refusedForms = new Map<string | number, PointsForm>()

/** Gives or collects points: in the room in which it was opened, or from a list of accounts. */
export const PointsDialog = (props: Props) => {
  const { room, title, own, member, bound, amount = '', typed = '', onMoved, onClose } = props
  const { t } = useWords()
  const cache = useQueryClient()
  const locked = useLocked(member.member_id, room !== undefined)
  const kinds = bound ? [bound.kind] : member.offers.map(({ type }) => type)
  const key = room?.code ?? member.member_id
  const [kept] = useState(() => (bound || amount || typed ? undefined : refusedForms.get(key)))
  useEffect(() => void refusedForms.delete(key), [key])
  const isKept = kept !== undefined && kinds.includes(kept.kind)
  const [form, setForm] = useState<PointsForm>(() => {
    if (isKept) return kept
    const begun = initialForm(bound?.amount ?? (typed || amount), kinds)
    return room ? begun : { ...begun, ...withoutMinus(begun.amount, begun.kind, kinds) }
  })
  const [errors, setErrors] = useState<PointsErrors>({})

  const { kind } = form
  const sent = amountToSend(form.amount)
  const points = pointsOf(sent ?? '0')
  const turnover = form.turnover ?? defaultTurnover(kind, points, own)
  const wallet = walletOf(kind, form.wallet, member)
  // From a list the server sets it.
  const asks = room !== undefined && asksTurnover(kind, member)
  const audit = asks ? turnoverToSend(turnover, kind, points, own) : '0'
  const needsRemark = room === undefined || transferKinds[kind].needsRemark
  const remark = form.remark.trim()
  const offer = member.offers.find(({ type }) => type === kind)
  const isStopped = stopOf(offer, own, form.overrides) !== undefined
  const isBlocked = isStopped || exceeded(offer, points) !== undefined

  const confirmation = (turnoverAmount: string) => {
    const terms = { t, own, member, kind, points, wallet, remark, overrides: form.overrides }
    const transfer = confirmationOf({ ...terms, audit: asks ? turnoverAmount : undefined })
    const shown = bound?.confirm(transfer) ?? transfer
    if (!needsApproval(offer, points)) return shown
    const reason = form.reason.trim()
    const { question: _, ...rest } = shown
    return {
      ...rest,
      act: askWords(t, offer, points),
      lines: [...shown.lines, ...(reason ? [{ label: t('approval.for_approver'), value: reason }] : [])],
      notice: <ApprovalNotice offer={offer} points={points} />,
    }
  }
  const [first] = useState(() =>
    bound && !isBlocked && !needsApproval(offer, points) && audit !== undefined ? confirmation(audit) : undefined,
  )

  if (locked) return <Locked onClose={onClose} />

  const check = () => {
    const found: PointsErrors = {
      ...(sent ? {} : { amount: amountError(t, form.amount) }),
      ...(audit === undefined ? { turnover: turnoverError(t, turnover, points) } : {}),
      ...(needsRemark && !remark ? { remark: t('transfer.remark_needed') } : {}),
    }
    setErrors(found)
    if (audit === undefined || Object.keys(found).length) return undefined
    return confirmation(audit)
  }
  const id = member.member_id
  const listed = { id, amount: `${takes(kind) ? '-' : ''}${sent ?? ''}`, type: wallet }
  const inRoom = { member_id: id, type: kind, amount: sent ?? '', platform: wallet }
  const send = (extra: SendExtras) => {
    const override = kind === TransferKind.receive && form.overrides ? { override_flow_limit: 1 as const } : {}
    const reason = form.reason.trim() ? { reason: form.reason.trim() } : {}
    if (bound) {
      const turnoverPart = asks ? { audit_amount: audit ?? '0' } : {}
      return bound.send({ remark, ...turnoverPart, ...reason, ...override, ...extra })
    }
    if (!room) return call('user/transaction', { ...listed, remark, ...reason, ...extra })
    return call('transaction/add', {
      ...inRoom,
      audit_amount: audit ?? '0',
      remark,
      code: room.code,
      ...reason,
      ...override,
      ...extra,
    })
  }
  const sign = (requestId: string) =>
    room
      ? signPoints({ call: 'transaction/add', ...inRoom, request: requestId })
      : signPoints({ call: 'user/transaction', ...listed, request: requestId })
  return (
    <PointsSteps
      sign={bound?.sign ?? sign}
      title={bound?.title ?? title ?? t('room.points_word')}
      first={first}
      beside={<Person who={member} role={!room} />}
      link={room && <History member={member} code={room.code} />}
      blocked={isBlocked}
      check={check}
      send={send}
      onMoved={({ approval }) => {
        void refresh(cache, changed)
        onMoved?.()
        bound?.onMoved(approval === 1)
      }}
      onClose={onClose}
      {...(bound ? {} : { onRefusedAway: () => void refusedForms.set(key, form) })}
      result={({ target_balance }) => [
        {
          label: nameOf(member),
          value: (
            <Amount exact value={spendable(target_balance, member, wallet)} unlimited={isUnlimited(member, wallet)} />
          ),
        },
      ]}
      form={
        <PointsFields
          own={own}
          member={member}
          kinds={kinds}
          form={form}
          onChange={(edited) => {
            setForm((before) => ({ ...before, ...edited }))
            setErrors({})
          }}
          errors={errors}
          points={points}
          turnover={asks ? turnover : undefined}
          needsRemark={needsRemark}
          takesMinus={!room}
          isStopped={isStopped}
          isBound={bound !== undefined}
          isKept={isKept && form.amount === kept.amount}
          isBegun={typed !== ''}
        />
      }
    />
  )
}

const changed = [
  'user/list',
  'user/view',
  'member/view',
  'member/flowLimit',
  'transaction/list',
  'report/sr02',
] as const

/** ENV-10: the transfers of the member; of one whose name is masked those of this conversation. */
const History = ({ member, code }: { member: MemberView; code: string }) => {
  const { t } = useWords()
  const to = isMasked(member.username)
    ? { params: {}, search: { room: code, time: 'month' } }
    : { params: { username: member.username } }
  return (
    <Link to="/transaction/list/{-$username}" {...to}>
      {t('room.history')}
    </Link>
  )
}

const initialForm = (amount: string, kinds: readonly Kind[]): PointsForm => ({
  kind: kinds[0] ?? TransferKind.send,
  amount,
  turnover: undefined,
  wallet: WalletKind.main,
  remark: '',
  reason: '',
  overrides: false,
})

/** ENV-05 */
const Locked = ({ onClose }: { onClose: () => void }) => {
  const { t } = useWords()
  return (
    <Dialog
      title={t('room.points_word')}
      onClose={onClose}
      buttons={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      <p className="room-locked" role="alert">
        <Icon name="lock" size={24} />
        {t('transfer.event_mode')}
      </p>
    </Dialog>
  )
}
