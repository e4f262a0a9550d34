import { TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { transferKinds } from '@tallyroom/contract/transfer-kinds'
import type { Answer, Input } from '@tallyroom/contract'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { refresh } from '../../../api/use-call.ts'
import { rooms } from '../../../chat/model/chat-session.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Amount } from '../../../ui/amount.tsx'
import { amountToSend } from '../../../ui/form/amount-text.ts'
import { Icon } from '../../../ui/icon.tsx'
import { isMasked } from '../../../ui/masked.ts'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { nameOf, Person } from '../../../ui/person.tsx'
import { pointsOf } from '../../../ui/points-of.ts'
import { PointsSteps } from '../../transfer/steps.tsx'
import type { SendExtras } from '../../transfer/use-transfer-steps.ts'
import { confirmationOf } from './points-confirmation.tsx'
import { PointsFields, type PointsForm, type PointsErrors } from './points-fields.tsx'
import {
  asksTurnover,
  defaultTurnover,
  type Kind,
  type MemberView,
  stopOf,
  turnoverToSend,
  walletOf,
} from './points-kinds.ts'
import { useLocked } from './use-locked.ts'
import './points.css'

type OwnAccount = Answer<'user/view'>
/** What the transfer fulfils: kind and amount cannot be changed, and `fields` are sent with it. */
type Bound = { kind: Kind; amount: string; fields?: Partial<Input<'transaction/add'>> }
type Props = { room: RoomSummary; own: OwnAccount; member: MemberView; bound?: Bound; onClose: () => void }

/** Refused input by room: a refusal that closes the dialog (1414) must not lose it. */
const refusedForms = new Map<string, PointsForm>()

/** Sends or takes points in a room: always in the room in which it was opened. */
export const PointsDialog = ({ room, own, member, bound, onClose }: Props) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const locked = useLocked(member.member_id)
  const kinds = bound ? [bound.kind] : member.offers.map(({ type }) => type)
  const [form, setForm] = useState<PointsForm>(() => initialForm(bound, refusedForms.get(room.code), kinds))
  const [errors, setErrors] = useState<PointsErrors>({})

  const { kind } = form
  const sent = amountToSend(form.amount)
  const points = sent && !sent.startsWith('-') ? pointsOf(sent) : 0n
  const turnover = form.turnover ?? defaultTurnover(kind, points, own)
  const wallet = walletOf(kind, form.wallet, member)
  const audit = asksTurnover(kind, member) ? turnoverToSend(turnover, kind, points, own) : '0'
  const remark = form.remark.trim()
  const offer = member.offers.find(({ type }) => type === kind)
  const isStopped = stopOf(offer, own, form.overrides) !== undefined

  if (locked) return <Locked onClose={onClose} />

  const check = () => {
    const found: PointsErrors = {
      ...(points > 0n ? {} : { amount: t('transfer.amount_needed') }),
      ...(audit === undefined ? { turnover: t('transfer.amount_needed') } : {}),
      ...(transferKinds[kind].needsRemark && !remark ? { remark: t('transfer.remark_needed') } : {}),
    }
    setErrors(found)
    if (audit === undefined || Object.keys(found).length) return undefined
    return confirmationOf({ t, own, member, kind, points, wallet, audit, remark, overrides: form.overrides })
  }
  const send = (extra: SendExtras) => {
    if (!bound) refusedForms.set(room.code, form)
    return call('transaction/add', {
      member_id: member.member_id,
      type: kind,
      amount: sent ?? '',
      audit_amount: audit ?? '0',
      remark,
      platform: wallet,
      code: room.code,
      ...(kind === TransferKind.receive && form.overrides ? { override_flow_limit: 1 } : {}),
      ...bound?.fields,
      ...extra,
    })
  }
  return (
    <PointsSteps
      title={t('room.points_word')}
      beside={<Person who={member} />}
      link={<History member={member} />}
      blocked={isStopped}
      check={check}
      send={send}
      onMoved={() => {
        refusedForms.delete(room.code)
        void refresh(cache, ['user/view', 'member/view', 'member/flowLimit', 'transaction/list', 'report/sr02'])
        void rooms.sync(room.code)
      }}
      onClose={onClose}
      result={(moved) => [{ label: nameOf(member), value: <Amount exact value={moved.target_balance} /> }]}
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
          isStopped={isStopped}
          isBound={bound !== undefined}
        />
      }
    />
  )
}

/** ENV-10: the transfers of the member; a search for a masked name would find nothing. */
const History = ({ member }: { member: MemberView }) => {
  const { t } = useWords()
  if (isMasked(member.username)) return null
  return (
    <Link to="/transaction/list/{-$username}" params={{ username: member.username }}>
      {t('room.history')}
    </Link>
  )
}

/** The refused input, unless its kind is no longer offered. */
const initialForm = (bound: Bound | undefined, before: PointsForm | undefined, kinds: readonly Kind[]): PointsForm => {
  if (!bound && before && kinds.includes(before.kind)) return before
  return {
    kind: kinds[0] ?? TransferKind.send,
    amount: bound?.amount ?? '',
    turnover: undefined,
    wallet: WalletKind.main,
    remark: '',
    overrides: false,
  }
}

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
