import { call, sessionEnded } from '../../../api/call.ts'
import { useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/control/button.tsx'
import { LanguageSelect } from '../../../ui/form/language-select.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { FactorCard } from './factor-card.tsx'
import { PasskeyCard } from './passkey-card.tsx'

/** PASS-03: the only page for an account whose role needs a second factor that it does not have yet. */
export const SetUpPage = () => {
  const { t } = useWords()
  const { data } = useCall('factor/view', {}, { meta: { optional: true } })
  const isDone = data !== undefined && (data.authenticator || data.mobile !== '' || data.passkeys > 0)
  const leave = () =>
    call('logout', {})
      .catch(() => undefined)
      .then(() => sessionEnded('ended'))
  return (
    <main className="page-narrow set-up">
      <header className="set-up-head">
        <Mark />
        <LanguageSelect />
      </header>
      <h1>{t('required.page')}</h1>
      <p className="card-hint" role="status">
        {t(isDone ? 'required.done' : 'required.page_what')}
      </p>
      <FactorCard />
      <PasskeyCard />
      <div className="card-buttons">
        <Button onClick={() => void leave()}>{t('shell.logout')}</Button>
        {isDone && (
          <Button main onClick={() => window.location.assign('/index')}>
            {t('required.go')}
          </Button>
        )}
      </div>
    </main>
  )
}
