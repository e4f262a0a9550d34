import { type FormEvent, type ReactNode, useState } from 'react'
import type { CallError } from '../../api/call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { Check } from '../../ui/form/check.tsx'
import { PasswordAgain } from '../../ui/form/current-password.tsx'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'

type CardProps = {
  title: string
  what: string
  found: { error: CallError | null; data: unknown; refetch: () => Promise<unknown> }
  children: ReactNode
}

/** A card of the settings that is loaded by itself. */
export const ChoiceCard = ({ title, what, found, children }: CardProps) => {
  const { t } = useWords()
  return (
    <section className="card">
      <h2>{title}</h2>
      <p className="card-hint">{what}</p>
      {found.error && !found.data && (
        <>
          <Alert text={found.error.message} />
          <Button onClick={() => void found.refetch()}>{t('action.try_again')}</Button>
        </>
      )}
      {children}
    </section>
  )
}

type FormProps<T> = {
  label: string
  options: { value: T; label: string }[]
  before: T[]
  error: CallError | null
  isSaving: boolean
  /** The server wants the user's own password for this. */
  needsPassword: boolean
  /** Saves what is chosen. `reset` goes back to what was chosen before. */
  onSave: (chosen: T[], proof: { current_password?: string }, reset: () => void) => void
}

/** Several choices that are saved together, with the own password when the server wants it. */
export const ChoiceForm = <T extends string | number>(props: FormProps<T>) => {
  const { label, options, before, error, isSaving, needsPassword, onSave } = props
  const { t } = useWords()
  const [chosen, setChosen] = useState(before)
  const [password, setPassword] = useState('')
  const hasChanges = options.some(({ value }) => chosen.includes(value) !== before.includes(value))
  const choose = (changed: T, isOn: boolean) =>
    setChosen(options.map(({ value }) => value).filter((one) => (one === changed ? isOn : chosen.includes(one))))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isSaving) return
    onSave(chosen, password ? { current_password: password } : {}, () => setChosen(before))
  }
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges hasChanges={hasChanges} />
      {error && <Alert text={error.message} />}
      <div role="group" className="setting-choices" aria-label={label}>
        {options.map(({ value, label: name }) => (
          <Check key={value} isOn={chosen.includes(value)} onChange={(isOn) => choose(value, isOn)}>
            {name}
          </Check>
        ))}
      </div>
      {needsPassword && <PasswordAgain value={password} onChange={setPassword} />}
      <div className="card-buttons">
        <Button submits busy={isSaving}>
          {t('action.save')}
        </Button>
      </div>
    </form>
  )
}
