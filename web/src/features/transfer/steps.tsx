import { TransferStatus } from '@tallyroom/contract/codes'
import { Button, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { useLostSince } from '../../api/connection.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { type SendExtras, type TransferResult, type Sending, useTransferSteps } from './use-transfer-steps.ts'

/** Content of the confirmation step: the amount, then lines such as receiver, wallet, balance and remark. */
export type Confirmation = { amount: ReactNode; lines: readonly { label: string; value: ReactNode }[] }

type Props = {
  title: string
  /** The fields. The caller owns their values, so that they survive every step and refusal. */
  form: ReactNode
  /** Validates the fields; undefined if something is wrong, and then the fields show errors. */
  check: () => Confirmation | undefined
  /**
   * Makes the call with the fields and `extra`, e.g. `(extra) => call('transaction/add', { ...input, ...extra })`.
   * Called again with the same `extra.request_id` when no answer came.
   */
  send: (extra: SendExtras) => Promise<TransferResult>
  /** Called when the points have moved or the offer was sent: invalidate the queries that show balances. */
  onMoved: (moved: TransferResult) => void
  /** Called to close the dialog: cancelled, refused with 1414 (the alert is shown already), or done. */
  onClose: () => void
  /** Lines of the success step, from the answer, which has the new balances. */
  result?: (moved: TransferResult) => Confirmation['lines']
}

/**
 * All transfers in the browser use these steps: form, confirmation, payment password if the server requires it,
 * success. Enter goes on, Esc goes back a step. Mount it to open it, unmount it in `onClose`.
 */
export const PointsSteps = ({ title, form, check, send, onMoved, onClose, result }: Props) => {
  const { t } = useWords()
  const move = useTransferSteps({ send, onMoved, onClose })
  const [confirmation, setConfirmation] = useState<Confirmation>()
  const isLost = useLostSince() !== undefined

  if (move.step === 'done' && move.moved && confirmation) {
    const pending = move.moved.status === TransferStatus.pending
    return (
      <Dialog
        title={t('done.transaction')}
        onClose={onClose}
        onSubmit={onClose}
        buttons={
          <Button key="ok" type="primary" htmlType="submit" autoFocus>
            {t('action.ok')}
          </Button>
        }
      >
        <p className={`result ${pending ? 'result-pending' : ''}`} role="status">
          <Icon name="check" size={28} />
          <span>{t(pending ? 'transfer.offered' : 'transfer.moved')}</span>
        </p>
        <Lines {...confirmation} lines={[...confirmation.lines.slice(0, 1), ...(result?.(move.moved) ?? [])]} />
      </Dialog>
    )
  }
  if (move.step === 'password') {
    return (
      <PasswordStep
        confirmation={confirmation}
        sending={move.sending}
        error={move.error}
        onSend={move.submit}
        onBack={() => move.goTo('form')}
        onClose={onClose}
      />
    )
  }
  if (move.step === 'confirm' && confirmation) {
    return (
      <Dialog
        title={t('transfer.confirm_title')}
        onClose={onClose}
        onBack={() => move.goTo('form')}
        onSubmit={() => void move.submit()}
        buttons={
          <>
            <Button disabled={move.sending !== 'no'} onClick={() => move.goTo('form')}>
              {t('action.back')}
            </Button>
            <Button
              key="go"
              type="primary"
              htmlType="submit"
              loading={move.sending !== 'no'}
              disabled={isLost && move.sending === 'no'}
              autoFocus
            >
              {t('transfer.send')}
            </Button>
          </>
        }
      >
        <Lines {...confirmation} />
        {isLost && move.sending === 'no' && <Alert text={t('connection.points')} />}
        <SendingStatus sending={move.sending} />
      </Dialog>
    )
  }
  const submit = () => {
    const next = check()
    if (!next) return
    setConfirmation(next)
    move.goTo('confirm')
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={submit}
      buttons={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button key="next" type="primary" htmlType="submit">
            {t('action.next')}
          </Button>
        </>
      }
    >
      {move.error && <Alert text={move.error} />}
      {form}
    </Dialog>
  )
}

const Lines = ({ amount, lines }: Confirmation) => (
  <>
    <p className="amount-large">{amount}</p>
    <dl className="lines">
      {lines.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </>
)

/** Status while the outcome of the request is unknown. */
const SendingStatus = ({ sending }: { sending: Sending }) => {
  const { t } = useWords()
  return (
    <p className="checking" role="status">
      {sending === 'sending' && t('transfer.sending')}
      {sending === 'checking' && t('transfer.checking')}
    </p>
  )
}

type PasswordProps = {
  confirmation: Confirmation | undefined
  sending: Sending
  error: string | undefined
  onSend: (password: string) => Promise<void>
  onBack: () => void
  onClose: () => void
}

/** The step after refusal 7001: the same request again, with the payment password. */
const PasswordStep = ({ confirmation, sending, error, onSend, onBack, onClose }: PasswordProps) => {
  const { t } = useWords()
  const [password, setPassword] = useState('')
  const submit = () => {
    if (password) void onSend(password)
  }
  return (
    <Dialog
      title={t('payment.title')}
      onClose={onClose}
      onBack={onBack}
      onSubmit={submit}
      buttons={
        <>
          <Button disabled={sending !== 'no'} onClick={onBack}>
            {t('action.back')}
          </Button>
          <Button type="primary" htmlType="submit" disabled={!password} loading={sending !== 'no'}>
            {t('transfer.send')}
          </Button>
        </>
      }
    >
      {error && <Alert text={error} />}
      {/* Amount and receiver stay visible until the points have moved. */}
      {confirmation && <Lines amount={confirmation.amount} lines={confirmation.lines.slice(0, 1)} />}
      <Field label={t('payment.password')} required>
        {(control) => (
          <Input.Password
            {...control}
            autoFocus
            autoComplete="off"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <SendingStatus sending={sending} />
    </Dialog>
  )
}
