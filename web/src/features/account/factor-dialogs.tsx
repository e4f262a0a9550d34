import { useState } from 'react'
import { call, refusedBy } from '../../api/call.ts'
import { notify } from '../../ui/overlay/message.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { type FactorView, Proof, proofFields } from './factor-proof.tsx'
import { type Closing, CodeField, CopyButton, type FieldOf, Step, useAction, useTyped } from './factor-step.tsx'
import { TextField } from './fields.tsx'
import { Qr } from './qr.tsx'

type Opened = Closing & { own: FactorView }

/** Password, then the secret and a first code of it, then the recovery codes. */
export const SetUpDialog = ({ own, onClose }: Opened) => {
  const { t } = useWords()
  const deed = useAction()
  const first = useTyped(...proofFields(own))
  const second = useTyped('code')
  const [made, setMade] = useState<{ secret: string; url: string }>()
  const [codes, setCodes] = useState<string[]>()
  const [mistaken, setMistaken] = useState(false)
  const begin = () =>
    first.ready() &&
    deed.run(async () =>
      setMade(await call('factor/begin', { password: first.of('password'), code: first.of('code') })),
    )
  const confirm = () =>
    second.ready() &&
    deed.run(async () => {
      try {
        const { recovery_codes } = await call('factor/confirm', { code: second.of('code').replace(/\s/g, '') })
        setCodes(recovery_codes)
      } catch (error) {
        setMistaken(refusedBy('factor/confirm', error, 'code.wrong'))
        throw error
      }
    })
  return (
    <Step
      title={t('security.set_up_authenticator')}
      deed={deed}
      go={t('action.next')}
      onGo={made ? confirm : begin}
      onClose={onClose}
      codes={codes}
    >
      {made ? (
        <Scan {...made} code={second.field('code')} mistaken={mistaken} />
      ) : (
        <Proof own={own} deed={deed} typed={first} />
      )}
    </Step>
  )
}

type ScanProps = { secret: string; url: string; code: FieldOf; mistaken: boolean }

const Scan = ({ secret, url, code, mistaken }: ScanProps) => {
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
      <CodeField label={t('security.shown_code')} hint={mistaken ? t('second.clock_hint') : undefined} {...code} />
    </>
  )
}

export const NewCodesDialog = ({ own, onClose }: Opened) => {
  const { t } = useWords()
  const deed = useAction()
  const typed = useTyped(...proofFields(own))
  const [codes, setCodes] = useState<string[]>()
  const make = () =>
    typed.ready() &&
    deed.run(async () => {
      const { recovery_codes } = await call('factor/recoveryCodes', {
        password: typed.of('password'),
        code: typed.of('code'),
      })
      setCodes(recovery_codes)
    })
  return (
    <Step
      title={t('security.recovery')}
      deed={deed}
      go={t('security.recovery_new')}
      onGo={make}
      onClose={onClose}
      codes={codes}
    >
      <p className="dialog-who">{t('security.recovery_new_what')}</p>
      <Proof own={own} deed={deed} typed={typed} />
    </Step>
  )
}

export const RemoveAuthenticatorDialog = ({ own, onClose }: Opened) => {
  const { t } = useWords()
  const deed = useAction()
  const typed = useTyped(...proofFields(own))
  const remove = () =>
    typed.ready() &&
    deed.run(async () => {
      await call('factor/remove', { password: typed.of('password'), code: typed.of('code') })
      notify.done(t('done.saved'))
      onClose()
    })
  return (
    <Step
      title={t('security.remove_authenticator')}
      deed={deed}
      go={t('security.remove')}
      danger
      onGo={remove}
      onClose={onClose}
    >
      <Proof own={own} deed={deed} typed={typed} />
    </Step>
  )
}

/** Password and number, then the code that was sent there. */
export const PhoneDialog = ({ own, onClose }: Opened) => {
  const { t } = useWords()
  const deed = useAction()
  const first = useTyped(...proofFields(own), 'mobile')
  const second = useTyped('code')
  const [sent, setSent] = useState(false)
  const send = () => {
    if (!first.ready()) return
    const mobile = first.of('mobile').replace(/[\s().-]/g, '')
    if (!/^\+?\d{6,15}$/.test(mobile)) return first.blame('mobile', t('security.phone_wrong'))
    deed.run(async () => {
      await call('factor/sendPhoneCode', { password: first.of('password'), code: first.of('code'), mobile })
      setSent(true)
    })
  }
  const confirm = () =>
    second.ready() &&
    deed.run(async () => {
      await call('factor/setPhone', { code: second.of('code').replace(/\s/g, '') })
      notify.done(t('done.saved'))
      onClose()
    })
  return (
    <Step
      title={t('security.phone')}
      deed={deed}
      go={t(sent ? 'second.verify' : 'action.next')}
      onGo={sent ? confirm : send}
      onClose={onClose}
    >
      {sent ? (
        <>
          <p className="dialog-who">{t('second.sent', { mobile: first.of('mobile') })}</p>
          <CodeField label={t('second.code')} {...second.field('code')} />
        </>
      ) : (
        <>
          <Proof own={own} deed={deed} typed={first} />
          <TextField
            label={t('security.phone_new')}
            hint={t('security.phone_hint')}
            required
            maxLength={30}
            autoComplete="tel"
            {...first.field('mobile')}
          />
        </>
      )}
    </Step>
  )
}

export const RemovePhoneDialog = ({ own, onClose }: Opened) => {
  const { t } = useWords()
  const deed = useAction()
  const typed = useTyped(...proofFields(own))
  const remove = () =>
    typed.ready() &&
    deed.run(async () => {
      await call('factor/removePhone', { password: typed.of('password'), code: typed.of('code') })
      notify.done(t('done.saved'))
      onClose()
    })
  return (
    <Step
      title={t('security.phone_remove')}
      deed={deed}
      go={t('security.remove')}
      danger
      onGo={remove}
      onClose={onClose}
    >
      <p className="dialog-who">{t('security.phone_remove_what', { mobile: own.mobile })}</p>
      <Proof own={own} deed={deed} typed={typed} />
    </Step>
  )
}
