import type { Answer, Refusal } from '@tallyroom/contract'
import { useEffect, useRef, useState } from 'react'
import { CallError, newRequestId, refusedBy } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import type { Signed } from '../../api/passkey.ts'
import { untilAnswered } from '../../api/until-answered.ts'
import { notify } from '../../ui/overlay/message.tsx'
import { t } from '../../i18n/i18n.ts'
import { serverNow } from '../../lib/clock.ts'

export type TransferResult = Answer<'user/transaction'>
export type Step = 'form' | 'confirm' | 'password' | 'done'
/** `checking`: no answer came, so the outcome is unknown and the same request is repeated. */
export type Sending = 'no' | 'sending' | 'checking'
/** When the request was sent first, and how often it has been repeated. */
export type Tries = { since: number; count: number }

type Proof = { payment_password?: string; passkey?: Signed }
/** Sent with each try: the same `request_id` until a definite answer, and password or passkey once it was required. */
export type SendExtras = Proof & { request_id: string }
/** Asks for a passkey's signature over the points of this request. */
export type SignPoints = (requestId: string) => Promise<Signed>

/** TRF-08: every refusal with this code shows an alert and closes the dialog. */
const CLOSES_THE_DIALOG = 1414

type Options = {
  send: (extra: SendExtras) => Promise<TransferResult>
  sign: SignPoints
  onMoved: (moved: TransferResult) => void
  onClose: () => void
  /** Refused when the form is no longer there, or closes with it: what was typed is lost unless the caller keeps it. */
  onRefusedAway?: (() => void) | undefined
  first?: Step
}

/** The steps of one transfer, from the form to a definite answer. */
export const useTransferSteps = ({ send, sign, onMoved, onClose, onRefusedAway, first = 'form' }: Options) => {
  const [step, setStep] = useState<Step>(first)
  const [sending, setSending] = useState<Sending>('no')
  const [error, setError] = useState<string>()
  const [moved, setMoved] = useState<TransferResult>()
  const [tries, setTries] = useState<Tries>({ since: 0, count: 0 })
  const [requestId, setRequestId] = useState(newRequestId)
  const isRunning = useRef(false)
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])

  const refused = (refusal: unknown) => {
    const message = errorText(refusal)
    // All calls that move points share these two refusals.
    const isRefused = (name: Refusal<'user/transaction'>) => refusedBy('user/transaction', refusal, name)
    if (isMounted.current && isRefused('transfer.needs_payment_password')) return setStep('password')
    if (isMounted.current && isRefused('transfer.wrong_payment_password')) return setError(message)
    // A definite refusal: the next try is a new request.
    setRequestId(newRequestId())
    const closes = refusal instanceof CallError && refusal.code === CLOSES_THE_DIALOG
    if (!isMounted.current || closes) {
      notify.refused(message)
      onRefusedAway?.()
      return isMounted.current ? onClose() : undefined
    }
    setStep('form')
    setError(message)
  }

  const submit = async (proof: Proof = {}) => {
    if (isRunning.current) return
    isRunning.current = true
    setError(undefined)
    setSending('sending')
    setTries({ since: serverNow(), count: 1 })
    try {
      const extra = { request_id: requestId, ...proof }
      const answer = await untilAnswered(
        () => send(extra),
        () => {
          setSending('checking')
          setTries(({ since, count }) => ({ since, count: count + 1 }))
        },
      )
      onMoved(answer)
      if (!isMounted.current) return notify.done(t(answer.approval ? 'approval.asked' : 'done.transaction'))
      setMoved(answer)
      setStep('done')
    } catch (refusal) {
      refused(refusal)
    } finally {
      isRunning.current = false
      setSending('no')
    }
  }
  const submitWithPasskey = async () => {
    if (isRunning.current) return
    setError(undefined)
    try {
      const passkey = await sign(requestId)
      await submit({ passkey })
    } catch (refusal) {
      setError(refusal instanceof CallError ? refusal.message : t('network.failed'))
    }
  }
  const goTo = (next: Step) => {
    if (isRunning.current) return
    setError(undefined)
    setStep(next)
  }
  return { step, sending, tries, error, moved, submit, submitWithPasskey, goTo }
}
