import { MAX_REASON } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Field } from '../../ui/form/field.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Alert } from '../../ui/overlay/message.tsx'

type Props = { row: CashRow; onRefused: () => void; onClose: () => void }

export const RefuseDialog = ({ row, onRefused, onClose }: Props) => {
  const { t } = useWords()
  const [reason, setReason] = useState('')
  const refuse = useSend('cash/refuse', { refreshes: ['cash/list', 'cash/open', 'cash/day'] })
  const submit = () => {
    if (isBlank(reason) || refuse.isPending) return
    refuse.mutate({ id: row.id, reason: reason.trim() }, { onSuccess: onRefused })
  }
  return (
    <Dialog
      title={t('requests.refuse')}
      onClose={onClose}
      onSubmit={submit}
      hasChanges={reason.trim() !== ''}
      buttons={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="primary" danger htmlType="submit" disabled={isBlank(reason)} loading={refuse.isPending}>
            {t('requests.refuse')}
          </Button>
        </>
      }
    >
      {refuse.error && <Alert text={refuse.error.message} />}
      <Field label={t('requests.reason')} hint={t('requests.reason_hint')} required>
        {(control) => (
          <Input.TextArea
            {...control}
            autoFocus
            rows={3}
            maxLength={MAX_REASON}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}
