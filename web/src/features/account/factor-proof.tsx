import type { Answer } from '@tallyroom/contract'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { type FieldOf, OwnPassword, type useAction } from './factor-step.tsx'
import { TextField } from './fields.tsx'

export type FactorView = Answer<'factor/view'>

/** What is asked for before anything about the second step changes. */
export const proofFields = (own: FactorView) =>
  own.authenticator || own.mobile ? (['password', 'code'] as const) : (['password'] as const)

type Props = {
  own: FactorView
  deed: ReturnType<typeof useAction>
  typed: { of: (name: 'password') => string; field: (name: 'password' | 'code') => FieldOf }
}

/** The own password, and of whoever has a second step a code of it: it can be sent when there is a number. */
export const Proof = ({ own, deed, typed }: Props) => {
  const { t } = useWords()
  const [sent, setSent] = useState(false)
  const send = () =>
    deed.run(async () => {
      await call('factor/sendCode', { password: typed.of('password') })
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
          <Button disabled={!typed.of('password')} onClick={send}>
            {t('second.send')}
          </Button>
          <span role="status">{sent && t('second.sent', { mobile: own.mobile })}</span>
        </p>
      )}
    </>
  )
}
