import { MAX_REMARK } from '@tallyroom/contract/lengths'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Amount } from '../../ui/amount.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import type { TransferRow } from '../../domain/transfer-words.ts'

/** ENV-08: the remark is the only part of a transfer that can be changed. */
export const RemarkDialog = ({
  row,
  onClose,
}: {
  row: Pick<TransferRow, 'transaction_id' | 'remark' | 'member_nickname' | 'member_username' | 'amount'>
  onClose: () => void
}) => {
  const { t } = useWords()
  const edit = useSend('transaction/edit', { refreshes: ['transaction/list', 'transaction/view'] })
  const [remark, setRemark] = useState(row.remark)
  const submit = () => {
    if (edit.isPending) return
    edit.mutate(
      { transaction_id: row.transaction_id, remark: remark.trim() },
      {
        onSuccess: () => {
          notify.done(t('done.edited'))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      title={t('history.edit_remark')}
      onClose={onClose}
      onSubmit={submit}
      buttons={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="primary" htmlType="submit" loading={edit.isPending}>
            {t('action.save')}
          </Button>
        </>
      }
    >
      {edit.error && <Alert text={edit.error.message} />}
      <p className="dialog-who">
        <bdi>{row.member_nickname || row.member_username}</bdi> <Amount value={row.amount} />
      </p>
      <Field label={t('transfer.remark')}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            maxLength={MAX_REMARK}
            showCount
            value={remark}
            onChange={(event) => setRemark(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}
