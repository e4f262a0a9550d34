import { MAX_CODE } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { codeFromPasskey } from '../../../api/passkey.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/control/button.tsx'
import { CurrentPassword } from '../../../ui/form/current-password.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { type CloseProps, type FieldState, Step, useAction, useFields } from './factor-step.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'

export type FactorView = Answer<'factor/view'>

const hasFactor = ({ authenticator, mobile, passkeys }: FactorView) => authenticator || mobile !== '' || passkeys > 0

/** The fields required before the second step can be changed. */
export const proofFields = (own: FactorView) =>
  hasFactor(own) ? (['password', 'code'] as const) : (['password'] as const)

type Props = {
  own: FactorView
  action: ReturnType<typeof useAction>
  typed: { value: (name: 'password') => string; field: (name: 'password' | 'code') => FieldState }
}

/**
 * The user's password, and if the account has a second step, a code of it: typed, sent by SMS if there is a number, or
 * got with a passkey.
 */
export const Proof = ({ own, action, typed }: Props) => {
  const { t } = useWords()
  const [done, setDone] = useState<'sent' | 'signed'>()
  const code = typed.field('code')
  const send = () =>
    action.run(async () => {
      await call('factor/sendCode', { password: typed.value('password') })
      setDone('sent')
    })
  const sign = () =>
    action.run(async () => {
      code.onChange(await codeFromPasskey())
      setDone('signed')
    })
  const label = own.authenticator
    ? 'security.code_or_recovery'
    : own.mobile
      ? 'security.sms_or_recovery'
      : 'second.recovery_code'
  return (
    <>
      <CurrentPassword {...typed.field('password')} />
      {hasFactor(own) && done !== 'signed' && (
        <TextField label={t(label)} required maxLength={MAX_CODE} autoComplete="one-time-code" {...code} />
      )}
      {(own.mobile || own.passkeys > 0) && (
        <p className="proof-send">
          {own.mobile && done !== 'signed' && (
            <Button disabled={!typed.value('password')} onClick={send}>
              {t('second.send')}
            </Button>
          )}
          {own.passkeys > 0 && done !== 'signed' && <Button onClick={sign}>{t('passkey.use')}</Button>}
          <span role="status">
            {done === 'sent' ? t('second.sent', { mobile: own.mobile }) : done === 'signed' && t('passkey.confirmed')}
          </span>
        </p>
      )}
    </>
  )
}

type RemoveProps = CloseProps & {
  own: FactorView
  title: string
  submitLabel: string
  /** What will happen. */
  what?: string
  /** @returns the text that says that it is done */
  work: (proof: { password: string; code: string }) => Promise<string>
}

/** Asks for the proof before a factor is removed. */
export const RemoveDialog = ({ own, what, work, onClose, title, submitLabel }: RemoveProps) => {
  const action = useAction()
  const typed = useFields(...proofFields(own))
  const remove = () =>
    typed.validate() &&
    action.run(async () => {
      notify.done(await work({ password: typed.value('password'), code: typed.value('code') }))
      onClose()
    })
  return (
    <Step title={title} action={action} submitLabel={submitLabel} danger onSubmit={remove} onClose={onClose}>
      {what && <p className="dialog-who">{what}</p>}
      <Proof own={own} action={action} typed={typed} />
    </Step>
  )
}
