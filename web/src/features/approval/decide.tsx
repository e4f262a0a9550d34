import { MAX_REASON } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { Fact } from '../../ui/fact.tsx'

type Props = {
  /** What the main button says. */
  act: string
  isBusy: boolean
  mayApprove: boolean
  /** Approving cannot be undone: then that is the button in red. */
  destroys?: boolean
  onApprove: () => void
  onRefuse: (reason: string) => void
  /** What approving needs to be typed. */
  children?: ReactNode
}

/** The foot of what waits for the user's decision. Refusing needs a reason. */
export const Decide = ({ act, isBusy, mayApprove, destroys = false, onApprove, onRefuse, children }: Props) => {
  const { t } = useWords()
  const [reason, setReason] = useState<string>()
  const mayRefuse = !isBusy && !(reason !== undefined && isBlank(reason))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason !== undefined) return mayRefuse && onRefuse(reason.trim())
    if (!isBusy && mayApprove) onApprove()
  }
  return (
    // Enter in the reason or in the payment password does what their button does.
    <form onSubmit={submit} noValidate>
      {children}
      {reason !== undefined && (
        <TextField
          label={t('requests.reason')}
          required
          autoFocus
          maxLength={MAX_REASON}
          value={reason}
          onChange={setReason}
        />
      )}
      <div className="request-acts">
        {reason === undefined ? (
          <>
            <button
              type="button"
              className={destroys ? 'button' : 'button button-danger'}
              disabled={isBusy}
              onClick={() => setReason('')}
            >
              {t('approval.refuse')}
            </button>
            <button
              type="submit"
              className={destroys ? 'button button-danger' : 'button button-main'}
              disabled={isBusy || !mayApprove}
            >
              {act}
            </button>
          </>
        ) : (
          <>
            <button type="submit" className="button button-danger" disabled={!mayRefuse}>
              {t('approval.refuse')}
            </button>
            <button type="button" className="button" onClick={() => setReason(undefined)}>
              {t('action.back')}
            </button>
          </>
        )}
      </div>
    </form>
  )
}

/** The foot of what waits, for who has made it. */
export const WithdrawButton = ({ isBusy, onWithdraw }: { isBusy: boolean; onWithdraw: () => void }) => {
  const { t } = useWords()
  return (
    <button type="button" className="button request-wide" disabled={isBusy} onClick={onWithdraw}>
      {t('approval.withdraw')}
    </button>
  )
}

type Ending = { ended_at: string | null; expires_at: string; ended_name: string; answer: string }

/** How it ended, or when it ends by itself. */
export const EndLines = ({ row }: { row: Ending }) => {
  const { t } = useWords()
  return (
    <>
      <Fact label={t(row.ended_at ? 'requests.ended_at' : 'approval.ends')}>
        <span className="points">{showMoment(row.ended_at ?? row.expires_at)}</span>
      </Fact>
      {row.ended_name && <Fact label={t('requests.ended_by')}>{row.ended_name}</Fact>}
      {row.answer && <Fact label={t('requests.reason')}>{row.answer}</Fact>}
    </>
  )
}
