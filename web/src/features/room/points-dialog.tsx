import type { Answer } from '@tallyroom/contract'
import { formatPoints } from '@tallyroom/contract/points'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button, Input, Radio } from 'antd'
import { useState } from 'react'
import { call } from '../../call.ts'
import { rooms } from '../../chat/talk.ts'
import { Amount, AmountInput, available, pointsOf } from '../../ui/amount.tsx'
import { amountToSend } from '../../ui/amount-text.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { isMasked } from '../../ui/masked.ts'
import { Person } from '../../ui/person.tsx'
import { refresh } from '../../use-call.ts'
import { useWords } from '../../words.ts'
import { PointsSteps } from '../transfer/steps.tsx'
import { useLocked } from './use-locked.ts'

type Own = Answer<'user/view'>
type Member = Answer<'member/view'>
type Props = { room: RoomSummary; own: Own; member: Member; onClose: () => void }
type Kind = 1 | 2
type Wallet = 1 | 2
const REMARK = 50

/** Points offered or asked for in a room. It belongs to the room in which it was opened, and names it to the server. */
export const PointsDialog = ({ room, own, member, onClose }: Props) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const locked = useLocked(member.member_id)
  const kinds = ([1, 2] as const).filter((kind) => mayUse(kind, own))
  const [kind, setKind] = useState<Kind>(kinds[0] ?? 1)
  const [amount, setAmount] = useState('')
  const [audit, setAudit] = useState<string>()
  const [wallet, setWallet] = useState<Wallet>(1)
  const [remark, setRemark] = useState('')
  const [wrong, setWrong] = useState<{ amount?: string; audit?: string }>({})

  const sent = amountToSend(amount)
  const points = sent && !sent.startsWith('-') ? pointsOf(sent) : 0n
  const asksTurnover = kind === 1 && member.is_multiple_wallet !== 1
  const choosesWallet = kind === 1 && member.transaction_all === 1
  const mayTurn = own.flow_limit_modify_permission === 1
  const filled = points ? shortest(points * BigInt(own.transfer_member_flow_limit_multiple)) : ''
  const turnover = mayTurn ? (audit ?? filled) : filled
  const after = pointsOf(member.balance) + (kind === 1 ? points : -points)
  const into = choosesWallet ? wallet : 1

  if (locked) {
    return (
      <Dialog
        title={t('room.points')}
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

  const check = () => {
    // Nothing, or zero: a multiple of 0 asks for no turnover.
    const auditSent = /^0*\.?0*$/.test(turnover) ? '0' : amountToSend(turnover)
    const found = {
      ...(points > 0n ? {} : { amount: t('transfer.amount_needed') }),
      ...(!asksTurnover || (auditSent && !auditSent.startsWith('-')) ? {} : { audit: t('transfer.amount_needed') }),
    }
    setWrong(found)
    if (Object.keys(found).length) return undefined
    return {
      amount: <Amount value={points} way={kind === 1 ? ('out' as const) : ('in' as const)} />,
      lines: [
        { label: t(kind === 1 ? 'transfer.to' : 'transfer.from'), value: <Person who={member} /> },
        ...(choosesWallet ? [{ label: t('transfer.wallet'), value: t(walletWord(into)) }] : []),
        ...(into === 1 ? [{ label: t('transfer.their_balance_after'), value: <Amount value={after} /> }] : []),
        ...(own.role_id === 3
          ? []
          : [
              {
                label: t('transfer.own_balance_after'),
                value: <Amount value={available(own) - (kind === 1 ? points : -points)} unlimited={own.unlimited} />,
              },
            ]),
        ...(asksTurnover ? [{ label: t('room.turnover'), value: <Amount value={pointsOf(auditSent ?? '0')} /> }] : []),
        ...(remark.trim() ? [{ label: t('transfer.remark'), value: remark.trim() }] : []),
        ...(member.withdraw_confirm === 1 ? [{ label: t('room.consent'), value: t('room.consent_needed') }] : []),
      ],
    }
  }

  return (
    <PointsSteps
      title={t('room.points')}
      check={check}
      send={(extra) =>
        call('transaction/add', {
          member_id: member.member_id,
          type: kind,
          amount: sent ?? '',
          audit_amount: asksTurnover ? (amountToSend(turnover || '0') ?? '0') : '0',
          remark: remark.trim(),
          platform: into,
          code: room.code,
          ...extra,
        })
      }
      onMoved={() => {
        void refresh(cache, ['user/view', 'member/view', 'transaction/list', 'report/sr02'])
        void rooms.sync(room.code)
      }}
      onClose={onClose}
      result={(moved) => [{ label: t('transfer.their_balance'), value: <Amount value={moved.target_balance} /> }]}
      form={
        <>
          <p className="dialog-who room-points-who">
            <Person who={member} />
            {!isMasked(member.username) && (
              <Link to="/transaction/list/{-$username}" params={{ username: member.username }}>
                {t('room.history')}
              </Link>
            )}
          </p>
          {kinds.length > 1 && (
            <Field label={t('room.points_kind')}>
              {(control) => (
                <Radio.Group
                  {...(control.id ? { id: control.id } : {})}
                  block
                  optionType="button"
                  buttonStyle="solid"
                  value={kind}
                  onChange={(event) => setKind(event.target.value === 2 ? 2 : 1)}
                  options={kinds.map((value) => ({
                    value,
                    label: t(value === 1 ? 'room.points_send' : 'room.points_receive'),
                  }))}
                />
              )}
            </Field>
          )}
          <Field
            label={t('transfer.amount')}
            required
            error={wrong.amount}
            hint={
              <span className="hint-balance">
                {t('transfer.their_balance')} <Amount value={member.balance} />
                {points > 0n && into === 1 && (
                  <>
                    {' → '}
                    <Amount value={after} />
                  </>
                )}
              </span>
            }
          >
            {(control) => <AmountInput {...control} autoFocus value={amount} onChange={setAmount} />}
          </Field>
          {asksTurnover && (
            <Field label={t('room.turnover')} error={wrong.audit} hint={t('room.turnover_hint')}>
              {(control) => <AmountInput {...control} disabled={!mayTurn} value={turnover} onChange={setAudit} />}
            </Field>
          )}
          {choosesWallet && (
            <Field label={t('transfer.wallet')}>
              {(control) => (
                <Radio.Group
                  {...(control.id ? { id: control.id } : {})}
                  block
                  optionType="button"
                  buttonStyle="solid"
                  value={wallet}
                  onChange={(event) => setWallet(event.target.value === 2 ? 2 : 1)}
                  options={([1, 2] as const).map((value) => ({ value, label: t(walletWord(value)) }))}
                />
              )}
            </Field>
          )}
          <Field label={t('transfer.remark')}>
            {(control) => (
              <Input
                {...control}
                maxLength={REMARK}
                showCount
                value={remark}
                onChange={(event) => setRemark(event.target.value)}
              />
            )}
          </Field>
          {member.withdraw_confirm === 1 && <p className="c-note">{t('room.consent_needed')}</p>}
        </>
      }
    />
  )
}

const walletWord = (wallet: Wallet) => (wallet === 1 ? 'wallet.main' : 'wallet.game')
const mayUse = (kind: Kind, own: Own) =>
  (kind === 1 ? own.send_red_envelope_button_visible : own.receive_red_envelope_button_visible) === 1

/** As one would type it: 250 and not 250.0000. */
const shortest = (points: bigint) => formatPoints(points).replace(/\.?0+$/, '')
