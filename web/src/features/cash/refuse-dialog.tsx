import { MAX_REASON } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { nameOf } from '../../ui/person.tsx'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'

type Props = { row: CashRow; onRefused: () => void; onClose: () => void }

export const RefuseDialog = ({ row, onRefused, onClose }: Props) => {
  const { t } = useWords()
  const refuse = useSend('cash/refuse', { refreshes: ['cash/list', 'cash/open', 'cash/day'] })
  const form = useForm({ reason: '' })
  const submit = form.submit(({ reason }) => refuse.mutateAsync({ id: row.id, reason: reason.trim() }), onRefused)
  return (
    <FormDialog
      title={t('requests.refuse_what', { amount: exactAmount(row.amount), name: nameOf(row) })}
      act={t('requests.refuse')}
      danger
      form={form}
      disabled={isBlank(form.draft.reason)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('requests.reason')}
        hint={t('requests.reason_hint')}
        required
        autoFocus
        rows={3}
        maxLength={MAX_REASON}
        {...form.field('reason')}
      />
    </FormDialog>
  )
}
