import type { FormEvent, ReactNode } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../control/button.tsx'
import { Alert } from '../overlay/message.tsx'
import type { FormState } from './use-form.ts'

type Props = {
  title: string
  hint?: ReactNode
  /** The verb on the button that sends it; "Save" by default. */
  act?: string
  form: FormState
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** It cannot be sent yet. */
  disabled?: boolean
  danger?: boolean
  /** Its button is not the main one of the page. */
  quiet?: boolean
  className?: string
  children: ReactNode
}

/** A card of a page around a form of `useForm`. */
export const FormCard = ({ title, hint, act, form, onSubmit, children, ...rest }: Props) => {
  const { disabled = false, danger = false, quiet = false, className = '' } = rest
  const { t } = useWords()
  return (
    <form className={`card ${className}`} onSubmit={onSubmit} noValidate>
      <h2>{title}</h2>
      {hint && <p className="card-hint">{hint}</p>}
      {form.refused && <Alert text={form.refused} />}
      {children}
      <div className="card-buttons">
        <Button main={!quiet} danger={danger} submits busy={form.isSending} disabled={disabled}>
          {act ?? t('action.save')}
        </Button>
      </div>
    </form>
  )
}
