import { TransferStatus } from '@tallyroom/contract/codes'
import { Button, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { type Extra, type Moved, type Sending, useMove } from './move.ts'

/** What a person agrees to: the amount large, then line by line who, which wallet, what is left, why. */
export type Confirmation = { amount: ReactNode; lines: readonly { label: string; value: ReactNode }[] }

type Props = {
  title: string
  /** The fields. What is typed belongs to the caller, so it stays through every step and every refusal. */
  form: ReactNode
  /** Checks what was typed; undefined when something is amiss, and then the fields say what. */
  check: () => Confirmation | undefined
  /**
   * Makes the call, with what was typed and `extra`, e.g. `(extra) => call('transaction/add', { ...input, ...extra })`.
   * It is made again with the same `extra.request_id` when no answer came.
   */
  send: (extra: Extra) => Promise<Moved>
  /** The points have moved, or the offer has gone out: make stale what shows balances. */
  onMoved: (moved: Moved) => void
  /** The dialog is to go: cancelled, refused with 1414 (the alert is shown already), or done and confirmed. */
  onClose: () => void
  /** Lines of the success step, from the answer; the balances are not known before. */
  result?: (moved: Moved) => Confirmation['lines']
}

/**
 * The one road of points in the browser: form, confirmation, payment password when the server asks for it, success.
 * Enter goes on, Esc goes one step back. Mount it to open it, unmount it in `onClose`.
 */
export const PointsSteps = ({ title, form, check, send, onMoved, onClose, result }: Props) => {
  const { t } = useWords()
  const move = useMove({ send, onMoved, onClose })
  const [agreed, setAgreed] = useState<Confirmation>()

  if (move.step === 'done' && move.moved && agreed) {
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
        <Lines {...agreed} lines={[...agreed.lines.slice(0, 1), ...(result?.(move.moved) ?? [])]} />
      </Dialog>
    )
  }
  if (move.step === 'password') {
    return (
      <PasswordStep
        agreed={agreed}
        sending={move.sending}
        error={move.error}
        onSend={move.go}
        onBack={() => move.to('form')}
        onClose={onClose}
      />
    )
  }
  if (move.step === 'confirm' && agreed) {
    return (
      <Dialog
        title={t('transfer.confirm_title')}
        onClose={onClose}
        onBack={() => move.to('form')}
        onSubmit={() => void move.go()}
        buttons={
          <>
            <Button disabled={move.sending !== 'no'} onClick={() => move.to('form')}>
              {t('action.back')}
            </Button>
            <Button key="go" type="primary" htmlType="submit" loading={move.sending !== 'no'} autoFocus>
              {t('transfer.send')}
            </Button>
          </>
        }
      >
        <Lines {...agreed} />
        <Unknown sending={move.sending} />
      </Dialog>
    )
  }
  const submit = () => {
    const next = check()
    if (!next) return
    setAgreed(next)
    move.to('confirm')
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

/** Says at each moment whether it is known what became of the points. */
const Unknown = ({ sending }: { sending: Sending }) => {
  const { t } = useWords()
  return (
    <p className="checking" role="status">
      {sending === 'sending' && t('transfer.sending')}
      {sending === 'checking' && t('transfer.checking')}
    </p>
  )
}

type PasswordProps = {
  agreed: Confirmation | undefined
  sending: Sending
  error: string | undefined
  onSend: (password: string) => Promise<void>
  onBack: () => void
  onClose: () => void
}

/** The step that follows 7001: the same request once more, with the password. */
const PasswordStep = ({ agreed, sending, error, onSend, onBack, onClose }: PasswordProps) => {
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
      {/* Amount and name stay in sight until the points have moved. */}
      {agreed && <Lines amount={agreed.amount} lines={agreed.lines.slice(0, 1)} />}
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
      <Unknown sending={sending} />
    </Dialog>
  )
}
