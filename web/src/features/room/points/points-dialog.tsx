import { TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { transferKinds } from '@tallyroom/contract/transfer-kinds'
import type { Answer } from '@tallyroom/contract'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { rooms } from '../../../chat/model/chat-session.ts'
import { Amount } from '../../../ui/amount.tsx'
import { amountToSend } from '../../../ui/form/amount-text.ts'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { pointsOf } from '../../../ui/points-of.ts'
import { refresh, useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { PointsSteps } from '../../transfer/steps.tsx'
import { confirmationOf } from './points-confirmation.tsx'
import { PointsFields, type PointsForm, type PointsErrors } from './points-fields.tsx'
import { asksTurnover, kindsFor, turnoverToSend, defaultTurnover, walletOf } from './points-kinds.ts'
import { useLocked } from './use-locked.ts'
import './points.css'

type OwnAccount = Answer<'user/view'>
type Member = Answer<'member/view'>
type Props = { room: RoomSummary; own: OwnAccount; member: Member; onClose: () => void }

/** Refused input by room: a refusal that closes the dialog (1414) must not lose it. */
const refusedForms = new Map<string, PointsForm>()

/** Sends or requests points in a room: always in the room in which it was opened. */
export const PointsDialog = ({ room, own, member, onClose }: Props) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const locked = useLocked(member.member_id)
  const kinds = kindsFor(own, member)
  const [form, setForm] = useState<PointsForm>(() => initialForm(refusedForms.get(room.code), kinds))
  const [errors, setErrors] = useState<PointsErrors>({})
  const due = useFlowDue(own, member)

  const { kind } = form
  const sent = amountToSend(form.amount)
  const points = sent && !sent.startsWith('-') ? pointsOf(sent) : 0n
  const turnover = form.turnover ?? defaultTurnover(kind, points, own)
  const wallet = walletOf(kind, form.wallet, member)

  if (locked) return <Locked onClose={onClose} />

  const check = () => {
    const audit = asksTurnover(kind, member) ? turnoverToSend(turnover, kind, points, own) : '0'
    const found: PointsErrors = {
      ...(points > 0n ? {} : { amount: t('transfer.amount_needed') }),
      ...(audit === undefined ? { turnover: t('transfer.amount_needed') } : {}),
      ...(transferKinds[kind].needsRemark && !form.remark.trim() ? { remark: t('transfer.remark_needed') } : {}),
    }
    setErrors(found)
    if (audit === undefined || Object.keys(found).length) return undefined
    return confirmationOf({
      t,
      own,
      member,
      kind,
      points,
      wallet,
      audit,
      remark: form.remark.trim(),
      overrides: form.overrides,
    })
  }
  return (
    <PointsSteps
      title={t('room.points')}
      check={check}
      send={(extra) => {
        refusedForms.set(room.code, form)
        return call('transaction/add', {
          member_id: member.member_id,
          type: kind,
          amount: sent ?? '',
          audit_amount: asksTurnover(kind, member) ? (turnoverToSend(turnover, kind, points, own) ?? '0') : '0',
          remark: form.remark.trim(),
          platform: wallet,
          code: room.code,
          ...(kind === TransferKind.receive && form.overrides ? { override_flow_limit: 1 } : {}),
          ...extra,
        })
      }}
      onMoved={() => {
        refusedForms.delete(room.code)
        void refresh(cache, ['user/view', 'member/view', 'member/flowLimit', 'transaction/list', 'report/sr02'])
        void rooms.sync(room.code)
      }}
      onClose={onClose}
      result={(moved) => [{ label: t('transfer.their_balance'), value: <Amount value={moved.target_balance} /> }]}
      form={
        <PointsFields
          own={own}
          member={member}
          kinds={kinds}
          form={form}
          onChange={(change) => {
            setForm((before) => ({ ...before, ...change }))
            setErrors({})
          }}
          errors={errors}
          points={points}
          turnover={turnover}
          due={due}
        />
      }
    />
  )
}

/** The refused input, unless its kind is no longer offered. */
const initialForm = (before: PointsForm | undefined, kinds: ReturnType<typeof kindsFor>): PointsForm => {
  if (before && kinds.includes(before.kind)) return before
  return {
    kind: kinds[0] ?? TransferKind.send,
    amount: '',
    turnover: undefined,
    wallet: WalletKind.main,
    remark: '',
    overrides: false,
  }
}

/** The member's due turnover; undefined while unknown, or if this account may not see it. */
const useFlowDue = (own: OwnAccount, member: Member) => {
  const limits = useCall(
    'member/flowLimit',
    { member_id: member.member_id, per_page: 1 },
    { enabled: own.cs_flow_limit_button_visible === 1, meta: { optional: true } },
  )
  return limits.data?.open
}

/** ENV-05 */
const Locked = ({ onClose }: { onClose: () => void }) => {
  const { t } = useWords()
  return (
    <Dialog title={t('room.points')} onClose={onClose} buttons={<Button onClick={onClose}>{t('action.close')}</Button>}>
      <p className="room-locked" role="alert">
        <Icon name="lock" size={24} />
        {t('transfer.event_mode')}
      </p>
    </Dialog>
  )
}
