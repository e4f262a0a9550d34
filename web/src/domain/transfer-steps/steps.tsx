import { TransferStatus } from '@tallyroom/contract/codes'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useLostSince } from '../../api/connection.ts'
import { Button } from '../../ui/control/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { ByKey, CheckingStep, type Confirmation, Facts, Head, PasswordStep } from './step-parts.tsx'
import { type SendExtras, type SignPoints, type TransferResult, useTransferSteps } from './use-transfer-steps.ts'
import { Wallets } from './wallets.tsx'

type Props = {
  title: string
  /** Names the owner of the points, in the head of the form. */
  beside?: ReactNode
  /** The fields. The caller owns their values, so that they survive every step and refusal. */
  form: ReactNode
  /** At the start of the form's foot. */
  link?: ReactNode
  /** Nothing can be sent now, whatever is typed; the form says why. */
  blocked?: boolean
  /** Begins with this confirmation, because nothing need be filled in; the form is a step back. */
  first?: Confirmation | undefined
  /** Validates the fields; undefined if something is wrong, and then the fields show errors. */
  check: () => Confirmation | undefined
  /**
   * Makes the call with the fields and `extra`, e.g. `(extra) => call('transaction/add', { ...input, ...extra })`.
   * Called again with the same `extra.request_id` when no answer came.
   */
  send: (extra: SendExtras) => Promise<TransferResult>
  /** Signs the same points with a passkey, in place of the payment password. */
  sign: SignPoints
  /** Called when the points have moved or the offer was sent: invalidate the queries that show balances. */
  onMoved: (moved: TransferResult) => void
  /** Called to close the dialog: cancelled, refused with 1414 (the alert is shown already), or done. */
  onClose: () => void
  /** Refused when the form is no longer there, or closes with it. */
  onRefusedAway?: () => void
  /** Lines of the success step, from the answer, which has the new balances. */
  result?: (moved: TransferResult) => Confirmation['lines']
  /** What is said when it waits for approval. */
  waits?: 'approval.asked' | 'change.asked'
}

type View = ComponentProps<typeof Dialog>

type Confirming = {
  t: Translate
  confirmation: Confirmation
  isSending: boolean
  isLost: boolean
  hasPledged: boolean
  onPledge: (hasPledged: boolean) => void
  onSend: () => void
  onBack: () => void
  onClose: () => void
}

/** The last look before points move: who, how much, and both wallets before and after. */
const confirmView = ({
  t,
  confirmation,
  isSending,
  isLost,
  hasPledged,
  onPledge,
  onSend,
  onBack,
  onClose,
}: Confirming): View => ({
  title: confirmation.question ?? t('transfer.sure', { act: confirmation.act }),
  isLastQuestion: true,
  onClose,
  onBack,
  onSubmit: () => (confirmation.pledge === undefined || hasPledged) && onSend(),
  buttons: (
    <>
      <Button disabled={isSending} onClick={onBack}>
        <ByKey name="Esc" /> {t('action.back')}
      </Button>
      <Button
        key="go"
        main
        submits
        busy={isSending}
        disabled={(isLost && !isSending) || (confirmation.pledge !== undefined && !hasPledged)}
        autoFocus
      >
        {confirmation.act} <ByKey name="↵" />
      </Button>
    </>
  ),
  children: (
    <>
      <p className="dialog-hint">{t('transfer.confirm_title')}</p>
      <Head {...confirmation} />
      {confirmation.wallets && <Wallets differences={confirmation.wallets} />}
      <Facts lines={confirmation.lines} />
      {confirmation.field}
      {confirmation.pledge?.(hasPledged, onPledge)}
      {confirmation.notice}
      {isLost && !isSending && <Alert text={t('connection.points')} />}
    </>
  ),
})

type Done = {
  t: Translate
  confirmation: Confirmation
  moved: TransferResult
  waits: NonNullable<Props['waits']>
  lines: Confirmation['lines']
  onClose: () => void
}

/** The points have moved, were offered, or wait for approval. */
const doneView = ({ t, confirmation, moved, waits, lines, onClose }: Done): View => {
  const pending = moved.status === TransferStatus.pending
  return {
    title: t(moved.approval ? 'approval.waits' : 'done.transaction'),
    hasChanges: false,
    onClose,
    onSubmit: onClose,
    buttons: (
      <Button key="ok" main submits autoFocus>
        {t('action.ok')} <ByKey name="↵" />
      </Button>
    ),
    children: (
      <>
        <p className={`result ${pending ? 'result-pending' : ''}`} role="status">
          <Icon name="check" size={20} />
          <span>{t(moved.approval ? waits : pending ? 'transfer.offered' : 'transfer.moved')}</span>
        </p>
        <Head {...confirmation} />
        <Facts lines={lines} />
      </>
    ),
  }
}

/**
 * All transfers in the browser use these steps: form, confirmation, payment password if the server requires it,
 * success. Enter goes on, Esc goes back a step. Mount it to open it, unmount it in `onClose`.
 */
export const PointsSteps = (props: Props) => {
  const {
    title,
    beside,
    form,
    link,
    blocked,
    first,
    check,
    send,
    sign,
    onMoved,
    onClose,
    onRefusedAway,
    result,
    waits = 'approval.asked',
  } = props
  const { t } = useWords()
  const move = useTransferSteps({ send, sign, onMoved, onClose, onRefusedAway, first: first ? 'confirm' : 'form' })
  const [confirmation, setConfirmation] = useState(first)
  const [hasPledged, setPledged] = useState(false)
  const isLost = useLostSince() !== undefined

  // One dialog for these steps: another one would lose the keys that are pressed while it opens.
  if (move.step === 'done' && move.moved && confirmation) {
    const lines = result?.(move.moved) ?? []
    return <Dialog {...doneView({ t, confirmation, moved: move.moved, waits, lines, onClose })} />
  }
  if (move.sending === 'checking' && confirmation)
    return <CheckingStep confirmation={confirmation} tries={move.tries} onClose={onClose} />
  const isSending = move.sending !== 'no'
  const onBack = () => move.goTo('form')
  if (move.step === 'password') {
    return (
      <PasswordStep
        confirmation={confirmation}
        isSending={isSending}
        error={move.error}
        onSend={(payment_password) => move.submit({ payment_password })}
        onSign={move.submitWithPasskey}
        onBack={onBack}
        onClose={onClose}
      />
    )
  }
  if (move.step === 'confirm' && confirmation) {
    const onSend = () => void move.submit()
    const pledge = { hasPledged, onPledge: setPledged }
    return <Dialog {...confirmView({ t, confirmation, isSending, isLost, ...pledge, onSend, onBack, onClose })} />
  }
  const submit = () => {
    const next = blocked ? undefined : check()
    if (!next) return
    setConfirmation(next)
    move.goTo('confirm')
  }
  return (
    <Dialog
      title={title}
      beside={beside}
      onClose={onClose}
      onSubmit={submit}
      buttons={
        <>
          {link && <span className="dialog-link">{link}</span>}
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button key="next" main submits disabled={blocked === true}>
            {t('action.next')} <ByKey name="↵" />
          </Button>
        </>
      }
    >
      {move.error && <Alert text={move.error} />}
      {form}
    </Dialog>
  )
}
