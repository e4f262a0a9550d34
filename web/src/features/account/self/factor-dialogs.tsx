import { MAX_MOBILE } from '@tallyroom/contract/lengths'
import { useState } from 'react'
import { call, refusedBy } from '../../../api/call.ts'
import { notify } from '../../../ui/overlay/message.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import { type FactorView, Proof, proofFields, RemoveDialog } from './factor-proof.tsx'
import { type CloseProps, CodeField, CopyButton, type FieldState, Step, useAction, useFields } from './factor-step.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { Qr } from '../../../ui/qr.tsx'

type FactorDialogProps = CloseProps & { own: FactorView }

/** Steps: password, then the secret and a first code from it, then the recovery codes. */
export const SetUpDialog = ({ own, onClose }: FactorDialogProps) => {
  const { t } = useWords()
  const action = useAction()
  const first = useFields(...proofFields(own))
  const second = useFields('code')
  const [made, setMade] = useState<{ secret: string; url: string }>()
  const [codes, setCodes] = useState<string[]>()
  const [isWrongCode, setWrongCode] = useState(false)
  const begin = () =>
    first.validate() &&
    action.run(async () =>
      setMade(await call('factor/begin', { password: first.value('password'), code: first.value('code') })),
    )
  const confirm = () =>
    second.validate() &&
    action.run(async () => {
      try {
        const { recovery_codes } = await call('factor/confirm', { code: second.value('code').replace(/\s/g, '') })
        setCodes(recovery_codes)
      } catch (error) {
        setWrongCode(refusedBy('factor/confirm', error, 'code.wrong'))
        throw error
      }
    })
  return (
    <Step
      title={t('security.set_up_authenticator')}
      action={action}
      submitLabel={t('action.next')}
      onSubmit={made ? confirm : begin}
      onClose={onClose}
      codes={codes}
    >
      {made ? (
        <Scan {...made} code={second.field('code')} isWrongCode={isWrongCode} />
      ) : (
        <Proof own={own} action={action} typed={first} />
      )}
    </Step>
  )
}

type ScanProps = { secret: string; url: string; code: FieldState; isWrongCode: boolean }

const Scan = ({ secret, url, code, isWrongCode }: ScanProps) => {
  const { t } = useWords()
  return (
    <>
      <p>{t('security.scan')}</p>
      <Qr text={url} name={t('security.qr')} />
      <p className="field-label">{t('security.key')}</p>
      <p className="secret">
        <code>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        <CopyButton text={secret} />
      </p>
      <CodeField label={t('security.shown_code')} hint={isWrongCode ? t('second.clock_hint') : undefined} {...code} />
    </>
  )
}

export const NewCodesDialog = ({ own, onClose }: FactorDialogProps) => {
  const { t } = useWords()
  const action = useAction()
  const typed = useFields(...proofFields(own))
  const [codes, setCodes] = useState<string[]>()
  const make = () =>
    typed.validate() &&
    action.run(async () => {
      const { recovery_codes } = await call('factor/recoveryCodes', {
        password: typed.value('password'),
        code: typed.value('code'),
      })
      setCodes(recovery_codes)
    })
  return (
    <Step
      title={t('security.recovery')}
      action={action}
      submitLabel={t('security.recovery_new')}
      onSubmit={make}
      onClose={onClose}
      codes={codes}
    >
      <p className="dialog-who">{t('security.recovery_new_what')}</p>
      <Proof own={own} action={action} typed={typed} />
    </Step>
  )
}

export const RemoveAuthenticatorDialog = ({ own, onClose }: FactorDialogProps) => {
  const { t } = useWords()
  return (
    <RemoveDialog
      own={own}
      onClose={onClose}
      title={t('security.remove_authenticator')}
      submitLabel={t('security.remove')}
      work={async (proof) => {
        await call('factor/remove', proof)
        return t('done.saved')
      }}
    />
  )
}

/** Steps: password and phone number, then the code sent to it. */
export const PhoneDialog = ({ own, onClose }: FactorDialogProps) => {
  const { t } = useWords()
  const action = useAction()
  const first = useFields(...proofFields(own), 'mobile')
  const second = useFields('code')
  const [sent, setSent] = useState(false)
  const send = () => {
    if (!first.validate()) return
    const mobile = first.value('mobile').replace(/[\s().-]/g, '')
    if (!/^\+?\d{6,15}$/.test(mobile)) return first.setError('mobile', t('security.phone_wrong'))
    action.run(async () => {
      await call('factor/sendPhoneCode', { password: first.value('password'), code: first.value('code'), mobile })
      setSent(true)
    })
  }
  const confirm = () =>
    second.validate() &&
    action.run(async () => {
      await call('factor/setPhone', { code: second.value('code').replace(/\s/g, '') })
      notify.done(t('done.saved'))
      onClose()
    })
  return (
    <Step
      title={t('security.phone')}
      action={action}
      submitLabel={t(sent ? 'second.verify' : 'action.next')}
      onSubmit={sent ? confirm : send}
      onClose={onClose}
    >
      {sent ? (
        <>
          <p className="dialog-who">{t('second.sent', { mobile: first.value('mobile') })}</p>
          <CodeField label={t('second.code')} {...second.field('code')} />
        </>
      ) : (
        <>
          <Proof own={own} action={action} typed={first} />
          <TextField
            label={t('security.phone_new')}
            hint={t('security.phone_hint')}
            required
            maxLength={MAX_MOBILE}
            autoComplete="tel"
            {...first.field('mobile')}
          />
        </>
      )}
    </Step>
  )
}

export const RemovePhoneDialog = ({ own, onClose }: FactorDialogProps) => {
  const { t } = useWords()
  return (
    <RemoveDialog
      own={own}
      onClose={onClose}
      title={t('security.phone_remove')}
      submitLabel={t('security.remove')}
      what={t('security.phone_remove_what', { mobile: own.mobile })}
      work={async (proof) => {
        await call('factor/removePhone', proof)
        return t('done.saved')
      }}
    />
  )
}
