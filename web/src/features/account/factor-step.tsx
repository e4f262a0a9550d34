import { useQueryClient } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { CallError } from '../../api/call.ts'
import { copyText } from '../../lib/clipboard.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { refresh } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { TextField } from './fields.tsx'

export type Closing = { onClose: () => void }

/** One deed at a time, with the words of its refusal; afterwards the card shows what is. */
export const useAction = () => {
  const { t } = useWords()
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const run = async (deed: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setRefused(undefined)
    try {
      await deed()
      void refresh(cache, ['factor/view'])
    } catch (error) {
      setRefused(error instanceof CallError ? error.message : t('network.failed'))
    }
    setBusy(false)
  }
  return { busy, refused, run: (deed: () => Promise<void>) => void run(deed) }
}

type StepProps = Closing & {
  title: string
  deed: ReturnType<typeof useAction>
  go: string
  danger?: boolean
  onGo: () => void
  /** Recovery codes, once they are there: then they are all that is shown. */
  codes?: string[] | undefined
  children: ReactNode
}
/** One dialog whose content changes from step to step. Codes are shown once: Esc alone does not close them. */
export const Step = ({ title, deed, go, danger = false, onGo, onClose, codes, children }: StepProps) => {
  const { t } = useWords()
  return (
    <Dialog
      title={codes ? t('security.recovery') : title}
      onClose={onClose}
      onSubmit={codes ? onClose : onGo}
      {...(codes ? { onBack: () => {} } : {})}
      buttons={
        <>
          {codes ? <CopyButton text={codes.join('\n')} /> : <Button onClick={onClose}>{t('action.cancel')}</Button>}
          <Button type="primary" danger={danger} htmlType="submit" loading={deed.busy}>
            {codes ? t('security.recovery_kept') : go}
          </Button>
        </>
      }
    >
      {deed.refused && <Alert text={deed.refused} />}
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

/** Values of a step's fields, each needed; `ready` says whether all are there and marks those that are not. */
export const useTyped = <K extends string>(...names: readonly K[]) => {
  const { t } = useWords()
  const [values, setValues] = useState<Partial<Record<K, string>>>({})
  const [wrong, setWrong] = useState<Partial<Record<K, string>>>({})
  return {
    of: (name: K) => (values[name] ?? '').trim(),
    field: (name: K) => ({
      value: values[name] ?? '',
      error: wrong[name],
      onChange: (value: string) => {
        setValues({ ...values, [name]: value })
        setWrong({ ...wrong, [name]: undefined })
      },
    }),
    ready: () => {
      const missing = names.filter((name) => !values[name]?.trim())
      setWrong(Object.fromEntries(missing.map((name) => [name, t('field.needed')])) as typeof wrong)
      return missing.length === 0
    },
    blame: (name: K, words: string) => setWrong({ ...wrong, [name]: words }),
  }
}

export type FieldOf = { value: string; error: string | undefined; onChange: (value: string) => void }
export const OwnPassword = ({ value, error, onChange }: FieldOf) => {
  const { t } = useWords()
  return (
    <Field label={t('payment.login_password')} required error={error}>
      {(control) => (
        <Input.Password
          {...control}
          autoFocus
          autoComplete="current-password"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

export const CodeField = (field: FieldOf & { label: string; hint?: string | undefined }) => (
  <TextField required autoFocus maxLength={12} autoComplete="one-time-code" {...field} />
)
