import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/control/button.tsx'
import { Alert } from '../../../ui/overlay/message.tsx'
import { useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import {
  NewCodesDialog,
  PhoneDialog,
  RemoveAuthenticatorDialog,
  RemovePhoneDialog,
  SetUpDialog,
} from './factor-dialogs.tsx'

type FactorAction = 'set_up' | 'remove' | 'phone' | 'remove_phone' | 'codes'

/** The second step of the user's sign-in. */
export const FactorCard = () => {
  const { t } = useWords()
  const view = useCall('factor/view', {}, { meta: { optional: true } })
  const [action, setAction] = useState<FactorAction>()
  const close = () => setAction(undefined)
  const own = view.data
  // The accessible name must start with the visible label, or voice control cannot press the button.
  const phoneWord = t(own?.mobile ? 'security.change' : 'security.set_up')
  return (
    <section className="card">
      <h2>{t('security.title')}</h2>
      <p className="card-hint">{t('security.what')}</p>
      {view.error && !own && (
        <>
          <Alert text={view.error.message} />
          <Button onClick={() => void view.refetch()}>{t('action.try_again')}</Button>
        </>
      )}
      {view.isPending && <span className="bar" aria-busy="true" />}
      {own && (
        <ul className="own-rows">
          <Row name={t('security.authenticator')} state={<OnOff on={own.authenticator} />}>
            {own.authenticator ? (
              <Button onClick={() => setAction('remove')} aria-label={t('security.remove_authenticator')}>
                {t('security.remove')}
              </Button>
            ) : (
              <Button onClick={() => setAction('set_up')} aria-label={t('security.set_up_authenticator')}>
                {t('security.set_up')}
              </Button>
            )}
          </Row>
          <Row
            name={t('security.phone')}
            state={own.mobile ? <bdi className="points">{own.mobile}</bdi> : t('security.phone_none')}
          >
            {own.mobile && (
              <Button onClick={() => setAction('remove_phone')} aria-label={t('security.phone_remove')}>
                {t('security.remove')}
              </Button>
            )}
            <Button onClick={() => setAction('phone')} aria-label={`${phoneWord}: ${t('security.phone_new')}`}>
              {phoneWord}
            </Button>
          </Row>
          {(own.authenticator || own.mobile || own.passkeys > 0) && (
            <Row name={t('security.recovery')} state={t('security.recovery_left', { n: own.recovery_codes })}>
              <Button onClick={() => setAction('codes')}>{t('security.recovery_new')}</Button>
            </Row>
          )}
        </ul>
      )}
      {own && action === 'set_up' && <SetUpDialog own={own} onClose={close} />}
      {own && action === 'remove' && <RemoveAuthenticatorDialog own={own} onClose={close} />}
      {own && action === 'phone' && <PhoneDialog own={own} onClose={close} />}
      {own && action === 'remove_phone' && <RemovePhoneDialog own={own} onClose={close} />}
      {own && action === 'codes' && <NewCodesDialog own={own} onClose={close} />}
    </section>
  )
}

const Row = ({ name, state, children }: { name: string; state: ReactNode; children: ReactNode }) => (
  <li>
    <div className="own-row-text">
      <p className="own-row-name">{name}</p>
      <p className="own-row-more">{state}</p>
    </div>
    <div className="own-row-buttons">{children}</div>
  </li>
)

const OnOff = ({ on }: { on: boolean }) => {
  const { t } = useWords()
  return <span className={on ? 'chip chip-in' : 'chip'}>{t(on ? 'security.on' : 'security.off')}</span>
}
