import { type FormEvent, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { Limits } from '../account/limits.tsx'
import { useLimits } from '../account/use-limits.ts'

/** CAPS-01: the limits of a colleague. An empty field shows what holds from above, and whose it is. */
export const LimitsForm = ({ id }: { id: number }) => {
  const { t } = useWords()
  const state = useLimits(id, true)
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isSaving || !state.check() || !state.hasChanges) return
    setSaving(true)
    setError(undefined)
    state.save().then(
      (waits) => {
        setSaving(false)
        notify.done(t(waits ? 'change.asked' : 'done.edited'))
      },
      (failure: Error) => {
        setSaving(false)
        setError(failure.message)
      },
    )
  }
  return (
    <form className="card profile-limits" onSubmit={submit} noValidate>
      <UnsavedChanges hasChanges={state.hasChanges} />
      <h2>{t('limit.title')}</h2>
      {state.loadError && <Alert text={state.loadError.message} />}
      {!state.data && !state.loadError && <p role="status">{t('table.loading')}</p>}
      {state.data && (
        <>
          <Limits limits={state.data.limits} state={state} />
          {error && <Alert text={error} />}
          <p>
            <Button main submits busy={isSaving} disabled={!state.hasChanges}>
              {t('action.save')}
            </Button>
          </p>
        </>
      )}
    </form>
  )
}
