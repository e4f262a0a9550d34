import { type ReactNode, useEffect, useState } from 'react'
import { offersPasskeys } from '../../api/passkey.ts'
import { Button } from '../../ui/control/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { PaymentPassword } from '../../ui/form/payment-password.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { showMoment } from '../../i18n/time.ts'
import { useWords } from '../../i18n/i18n.ts'
import type { Tries } from './use-transfer-steps.ts'
import type { WalletDifference } from './wallets.tsx'
import './steps.css'

/** Content of the confirmation step. */
export type Confirmation = {
  /** Verb, amount and name, such as "Collect 30.00 from Gina": the text of the button that sends it. */
  act: string
  /** The title, if it is another question than the act. */
  question?: string
  /** "Points in · Gina Wong (ginawong)" */
  who: ReactNode
  amount: ReactNode
  wallets?: readonly WalletDifference[]
  lines: readonly { label: string; value: ReactNode }[]
  /** What will not happen at once. */
  notice?: ReactNode
  /** What may be filled in here. */
  field?: ReactNode
  /** The box that has to be ticked before it can be sent. */
  pledge?: (isOn: boolean, onChange: (isOn: boolean) => void) => ReactNode
}

/** The key that presses a button, for the eye only: the button's name is its act. */
export const ByKey = ({ name }: { name: string }) => <kbd aria-hidden="true">{name}</kbd>

/** Shows who gets or gives how much. It stays in view until the points have moved. */
export const Head = ({ who, amount }: Pick<Confirmation, 'who' | 'amount'>) => (
  <div className="amount-head">
    <span className="amount-who">{who}</span>
    <span className="amount-large">{amount}</span>
  </div>
)

export const Facts = ({ lines }: Pick<Confirmation, 'lines'>) =>
  lines.length > 0 && (
    <dl className="facts">
      {lines.map(({ label, value }) => (
        <Fact key={label} label={label}>
          {value}
        </Fact>
      ))}
    </dl>
  )

type CheckingProps = { confirmation: Confirmation; tries: Tries; onClose: () => void }

/** No answer came, so the outcome is unknown. Closing is safe: the result is shown when it is known. */
export const CheckingStep = ({ confirmation, tries, onClose }: CheckingProps) => {
  const { t } = useWords()
  const lines = [
    { label: t('transfer.asked_at'), value: <span className="points">{showMoment(tries.since).slice(11)}</span> },
    { label: t('transfer.tries'), value: <span className="points">{tries.count}</span> },
  ]
  return (
    <Dialog
      title={confirmation.act}
      onClose={onClose}
      buttons={
        <>
          <span className="dialog-link dialog-hint">{t('transfer.may_close')}</span>
          <Button autoFocus onClick={onClose}>
            {t('action.close')}
          </Button>
        </>
      }
    >
      <Head {...confirmation} />
      <p className="notice notice-waiting" role="status">
        <Icon name="clock" size={16} />
        <span>
          <b>{t('transfer.checking')}</b>
          <span>{t('transfer.checking_why')}</span>
        </span>
      </p>
      <Facts lines={lines} />
    </Dialog>
  )
}

type PasswordProps = {
  confirmation: Confirmation | undefined
  isSending: boolean
  error: string | undefined
  onSend: (password: string) => Promise<void>
  onSign: ProofProps['onSign']
  onBack: () => void
  onClose: () => void
}

/** The step after refusal 7001: the same request again, with the payment password. */
export const PasswordStep = ({ confirmation, isSending, error, onSend, onSign, onBack, onClose }: PasswordProps) => {
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
          <Button disabled={isSending} onClick={onBack}>
            <ByKey name="Esc" /> {t('action.back')}
          </Button>
          <Button main submits disabled={!password} busy={isSending}>
            <span>{confirmation?.act ?? t('transfer.send')}</span> <ByKey name="↵" />
          </Button>
        </>
      }
    >
      {error && <Alert text={error} />}
      {confirmation && <Head {...confirmation} />}
      <PaymentProof password={password} onPassword={setPassword} isSending={isSending} onSign={onSign} />
    </Dialog>
  )
}

type ProofProps = {
  password: string
  onPassword: (password: string) => void
  isSending: boolean
  /** Confirms with a passkey instead. */
  onSign: () => Promise<void>
}

/** The payment password, and a passkey in its place where this page offers them. */
export const PaymentProof = ({ password, onPassword, isSending, onSign }: ProofProps) => {
  const { t } = useWords()
  const [isAble, setAble] = useState(false)
  useEffect(() => void offersPasskeys().then(setAble, () => {}), [])
  return (
    <>
      <PaymentPassword value={password} onChange={onPassword} isSending={isSending} />
      {isAble && (
        <Button disabled={isSending} onClick={() => void onSign()}>
          {t('passkey.use')}
        </Button>
      )}
    </>
  )
}
