import { MAX_CODE } from '@tallyroom/contract/lengths'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { CallError } from '../../../api/call.ts'
import { copyText } from '../../../lib/clipboard.ts'
import { Button } from '../../../ui/control/button.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Alert, notify } from '../../../ui/overlay/message.tsx'
import { refresh } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { TextField } from '../../../ui/form/text-field.tsx'

export type CloseProps = { onClose: () => void }

/** Runs one action at a time and keeps the message of its refusal; success refreshes the card. */
export const useAction = () => {
  const { t } = useWords()
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const run = async (action: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setRefused(undefined)
    try {
      await action()
      void refresh(cache, ['factor/view', 'passkey/list', 'security/list'])
    } catch (error) {
      setRefused(error instanceof CallError ? error.message : t('network.failed'))
    }
    setBusy(false)
  }
  return { busy, refused, run: (action: () => Promise<void>) => void run(action) }
}

type StepProps = CloseProps & {
  title: string
  action: ReturnType<typeof useAction>
  submitLabel: string
  danger?: boolean
  onSubmit: () => void
  /** Recovery codes; once set, the dialog shows only these. */
  codes?: string[] | undefined
  children: ReactNode
}
/** One dialog whose content changes from step to step. Recovery codes are shown once, so Esc does not close them. */
export const Step = ({ title, action, submitLabel, danger = false, onSubmit, onClose, codes, children }: StepProps) => {
  const { t } = useWords()
  return (
    <Dialog
      title={codes ? t('security.recovery') : title}
      onClose={onClose}
      onSubmit={codes ? onClose : onSubmit}
      {...(codes ? { onBack: () => {} } : {})}
      buttons={
        <>
          {codes ? <CopyButton text={codes.join('\n')} /> : <Button onClick={onClose}>{t('action.cancel')}</Button>}
          <Button main danger={danger} submits busy={action.busy}>
            {codes ? t('security.recovery_kept') : submitLabel}
          </Button>
        </>
      }
    >
      {action.refused && <Alert text={action.refused} />}
      {codes ? <Codes codes={codes} /> : children}
    </Dialog>
  )
}

const Codes = ({ codes }: { codes: string[] }) => {
  const { t } = useWords()
  return (
    <>
      <p>{t('security.recovery_once')}</p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </>
  )
}

export const CopyButton = ({ text }: { text: string }) => {
  const { t } = useWords()
  const press = async () => {
    if (await copyText(text)) notify.done(t('security.copied'))
    else notify.refused(t('security.not_copied'))
  }
  return <Button onClick={() => void press()}>{t('security.copy')}</Button>
}

/** Values of a step's required fields. `validate` returns whether all are filled and marks the empty ones. */
export const useFields = <K extends string>(...names: readonly K[]) => {
  const { t } = useWords()
  const [values, setValues] = useState<Partial<Record<K, string>>>({})
  const [errors, setErrors] = useState<Partial<Record<K, string>>>({})
  return {
    value: (name: K) => (values[name] ?? '').trim(),
    field: (name: K) => ({
      value: values[name] ?? '',
      error: errors[name],
      onChange: (value: string) => {
        setValues({ ...values, [name]: value })
        setErrors({ ...errors, [name]: undefined })
      },
    }),
    validate: () => {
      const missing = names.filter((name) => !values[name]?.trim())
      setErrors(Object.fromEntries(missing.map((name) => [name, t('field.needed')])) as typeof errors)
      return missing.length === 0
    },
    setError: (name: K, words: string) => setErrors({ ...errors, [name]: words }),
  }
}

export type FieldState = { value: string; error: string | undefined; onChange: (value: string) => void }
export const CodeField = (field: FieldState & { label: string; hint?: string | undefined }) => (
  <TextField required autoFocus maxLength={MAX_CODE} autoComplete="one-time-code" {...field} />
)
