import { call } from '../../../api/call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { PasswordAgain } from '../../../ui/form/current-password.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import type { EndpointRow } from './endpoint-row.ts'

type Props = { row: EndpointRow; onClose: () => void; onDone: (made: { id: string; secret: string }) => void }

/** Asks before a secret is replaced: a receiver that never learns the new one refuses events after a day. */
export const RotateDialog = ({ row, onClose, onDone }: Props) => {
  const { t } = useWords()
  const form = useForm({ current_password: '' })
  const send = ({ current_password }: { current_password: string }) =>
    call('endpoint/rotate', { id: row.id, ...(current_password ? { current_password } : {}) })
  return (
    <FormDialog
      title={`${t('api_key.rotate')}: ${row.url}`}
      act={t('api_key.rotate')}
      form={form}
      onSubmit={form.submit(send, onDone)}
      onClose={onClose}
    >
      <p>{t('endpoint.rotate_what')}</p>
      {form.needsPassword && <PasswordAgain {...form.field('current_password')} />}
    </FormDialog>
  )
}
