import type { Answer } from '@tallyroom/contract'
import type { CashRow } from '@tallyroom/contract/calls/cash'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useLostSince } from '../../api/connection.ts'
import { refresh, useCall } from '../../api/use-call.ts'
import { rooms } from '../../chat/model/chat-session.ts'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Amount } from '../../ui/amount.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { ByKey, CheckingStep, type Confirmation, Facts, Head, PasswordStep } from '../transfer/step-parts.tsx'
import { useTransferSteps } from '../transfer/use-transfer-steps.ts'
import { type WalletChange, Wallets } from '../transfer/wallets.tsx'
import { useLease } from './use-lease.ts'

type Own = Answer<'user/view'>
type Props = { row: CashRow; own: Own; onPaid: () => void; onClose: () => void }

/** The confirmation of a request: bound to its card, room, member and amount, so nothing is left to fill in. */
export const PayDialog = ({ row, own, onPaid, onClose }: Props) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const confirmation = useConfirmation(row, own)
  const [remark, setRemark] = useState('')
  const [overrides, setOverrides] = useState(false)
  useLease(row.id, true)
  const isLost = useLostSince() !== undefined
  const move = useTransferSteps({
    send: (extra) =>
      call('cash/pay', {
        id: row.id,
        amount: row.amount,
        remark: remark.trim(),
        ...(overrides ? { override_flow_limit: 1 as const } : {}),
        ...extra,
      }),
    onMoved: () => {
      notify.done(t('done.transaction'))
      void refresh(cache, ['cash/list', 'cash/open', 'cash/day', 'user/view', 'member/view', 'transaction/list'])
      void rooms.sync(row.code)
      onPaid()
    },
    onClose,
  })
  const isDue = row.direction === 'out' && pointsOf(row.turnover_due) > 0n
  const isSending = move.sending !== 'no'
  if (move.sending === 'checking')
    return <CheckingStep confirmation={confirmation} tries={move.tries} onClose={onClose} />
  if (move.step === 'password')
    return (
      <PasswordStep
        confirmation={confirmation}
        isSending={isSending}
        error={move.error}
        onSend={move.submit}
        onBack={() => move.goTo('form')}
        onClose={onClose}
      />
    )
  return (
    <Dialog
      title={t('transfer.sure', { act: confirmation.act })}
      onClose={onClose}
      onSubmit={() => void move.submit()}
      buttons={
        <>
          <Button disabled={isSending} onClick={onClose}>
            <ByKey name="Esc" /> {t('action.back')}
          </Button>
          <Button
            type="primary"
            htmlType="submit"
            autoFocus
            loading={isSending}
            disabled={(isDue && !overrides) || (isLost && !isSending)}
          >
            {confirmation.act} <ByKey name="↵" />
          </Button>
        </>
      }
    >
      {move.error && <Alert text={move.error} />}
      <p className="dialog-hint">{t('transfer.confirm_title')}</p>
      <Head {...confirmation} />
      {confirmation.wallets && <Wallets changes={confirmation.wallets} />}
      <Facts lines={confirmation.lines} />
      {isDue && (
        <>
          <Alert text={t('requests.turnover_due', { amount: exactAmount(row.turnover_due) })} />
          {own.flow_limit_modify_permission === 1 && (
            <Checkbox checked={overrides} onChange={({ target }) => setOverrides(target.checked)}>
              {t('room.flow_override')}
            </Checkbox>
          )}
        </>
      )}
      <Field label={t('transfer.remark')}>
        {(control) => (
          <Input {...control} maxLength={50} value={remark} onChange={(event) => setRemark(event.target.value)} />
        )}
      </Field>
      {isLost && !isSending && <Alert text={t('connection.points')} />}
    </Dialog>
  )
}

const useConfirmation = (row: CashRow, own: Own): Confirmation => {
  const { t } = useWords()
  const member = useCall('member/view', { member_id: row.member_id })
  const isOut = row.direction === 'out'
  const points = pointsOf(row.amount)
  const name = row.nickname || row.username
  const payer = member.data?.payer
  // The points of a request out have left the member's wallet already: they are held.
  const has = pointsOf(row.balance) + (isOut ? points : 0n)
  const change = isOut ? -points : points
  const theirs: WalletChange = { owner: <bdi>{name}</bdi>, before: has, after: has + change }
  const paying: WalletChange[] = payer
    ? [
        {
          owner: (
            <>
              <bdi>{payer.name}</bdi>{' '}
              <span className="quiet">({t(payer.id === own.id ? 'points.own_wallet' : 'points.group_wallet')})</span>
            </>
          ),
          before: pointsOf(payer.available),
          after: pointsOf(payer.available) - change,
          unlimited: payer.unlimited,
        },
      ]
    : []
  const account = row.account_no && {
    label: t(isOut ? 'requests.pay_to' : 'requests.account'),
    value: <bdi>{`${row.bank} ${row.account_no}`}</bdi>,
  }
  return {
    act: t(isOut ? 'requests.pay_out' : 'requests.pay_in', { amount: exactAmount(row.amount), name }),
    who: t(isOut ? 'points.from_member' : 'points.to_member', {
      name: row.nickname ? `${name} (${row.username})` : name,
    }),
    amount: <Amount exact value={row.amount} way={row.direction} />,
    wallets: isOut ? [theirs, ...paying] : [...paying, theirs],
    lines: [{ label: t('requests.number'), value: row.id }, ...(account ? [account] : [])],
  }
}
