import type { Answer, Refusal } from '@tallyroom/contract'
import { useEffect, useRef, useState } from 'react'
import { CallError, NO_ANSWER, newRequestId, refusedBy } from '../../api/call.ts'
import { notify } from '../../ui/overlay/message.tsx'
import { t } from '../../i18n/i18n.ts'

export type Moved = Answer<'user/transaction'>
export type Step = 'form' | 'confirm' | 'password' | 'done'
/** `checking`: no answer came, so nobody knows yet whether the points moved; the same request is asked again. */
export type Sending = 'no' | 'sending' | 'checking'

/** What a send goes with: the same `request_id` until a definite answer, the password once it was asked for. */
export type Extra = { request_id: string; payment_password?: string }

/** TRF-08: every refusal with this code is an alert and closes the dialog. */
const CLOSES_THE_DIALOG = 1414
const PAUSES = [1000, 2000, 4000, 8000, 15_000]

/** Repeats a request until somebody knows its outcome. Safe, because the server gives a request_id its effect once. */
const untilKnown = async (send: () => Promise<Moved>, unknown: () => void): Promise<Moved> => {
  for (let tries = 0; ; tries++) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== NO_ANSWER) throw error
      unknown()
      await new Promise((resolve) => setTimeout(resolve, PAUSES[Math.min(tries, PAUSES.length - 1)]))
    }
  }
}

type Options = {
  send: (extra: Extra) => Promise<Moved>
  onMoved: (moved: Moved) => void
  onClose: () => void
}

/** The course of one movement of points, from the confirmation to a definite answer. */
export const useMove = ({ send, onMoved, onClose }: Options) => {
  const [step, setStep] = useState<Step>('form')
  const [sending, setSending] = useState<Sending>('no')
  const [error, setError] = useState<string>()
  const [moved, setMoved] = useState<Moved>()
  const [requestId, setRequestId] = useState(newRequestId)
  const under = useRef(false)
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])

  const refused = (refusal: unknown) => {
    const { code, message } = refusal instanceof CallError ? refusal : { code: -1, message: t('error.unforeseen') }
    // All calls that move points share these two names.
    const isRefused = (name: Refusal<'user/transaction'>) => refusedBy('user/transaction', refusal, name)
    if (here.current && isRefused('transfer.needs_payment_password')) return setStep('password')
    if (here.current && isRefused('transfer.wrong_payment_password')) return setError(message)
    // Settled with this answer: another try is another request.
    setRequestId(newRequestId())
    if (!here.current) return notify.refused(message)
    if (code === CLOSES_THE_DIALOG) {
      notify.refused(message)
      return onClose()
    }
    setStep('form')
    setError(message)
  }

  const go = async (payment_password?: string) => {
    if (under.current) return
    under.current = true
    setError(undefined)
    setSending('sending')
    try {
      const extra = { request_id: requestId, ...(payment_password ? { payment_password } : {}) }
      const answer = await untilKnown(
        () => send(extra),
        () => setSending('checking'),
      )
      onMoved(answer)
      if (!here.current) return notify.done(t('done.transaction'))
      setMoved(answer)
      setStep('done')
    } catch (refusal) {
      refused(refusal)
    } finally {
      under.current = false
      setSending('no')
    }
  }
  const to = (next: Step) => {
    if (under.current) return
    setError(undefined)
    setStep(next)
  }
  return { step, sending, error, moved, go, to }
}
