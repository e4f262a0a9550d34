import type { Answer } from '@tallyroom/contract'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { type FieldState, OwnPassword, type useAction } from './factor-step.tsx'
import { TextField } from './fields.tsx'

export type FactorView = Answer<'factor/view'>

/** The fields required before the second step can be changed. */
export const proofFields = (own: FactorView) =>
  own.authenticator || own.mobile ? (['password', 'code'] as const) : (['password'] as const)

type Props = {
  own: FactorView
  action: ReturnType<typeof useAction>
  typed: { value: (name: 'password') => string; field: (name: 'password' | 'code') => FieldState }
}

/**
 * The user's password, and if the account has a second step, a code of it; the code can be sent by SMS if there is a
 * number.
 */
export const Proof = ({ own, action, typed }: Props) => {
  const { t } = useWords()
  const [sent, setSent] = useState(false)
  const send = () =>
    action.run(async () => {
      await call('factor/sendCode', { password: typed.value('password') })
      setSent(true)
    })
  return (
    <>
      <OwnPassword {...typed.field('password')} />
      {(own.authenticator || own.mobile) && (
        <TextField
          label={t(own.authenticator ? 'security.code_or_recovery' : 'security.sms_or_recovery')}
          required
          maxLength={40}
          autoComplete="one-time-code"
          {...typed.field('code')}
        />
      )}
      {own.mobile && (
        <p className="proof-send">
          <Button disabled={!typed.value('password')} onClick={send}>
            {t('second.send')}
          </Button>
          <span role="status">{sent && t('second.sent', { mobile: own.mobile })}</span>
        </p>
      )}
    </>
  )
}
