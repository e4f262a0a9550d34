import { MAX_TEXT } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import { Button } from 'antd'
import { useState } from 'react'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'

type Row = Answer<'note_content/list'>['data'][number]

/** NOTE-03: adds an entry to a note, or changes one. Without content nothing is sent. */
export const ContentDialog = ({ noteId, row, onClose }: { noteId: number; row?: Row; onClose: () => void }) => {
  const { t } = useWords()
  const create = useSend('note_content/add', { refreshes: ['note_content/list'] })
  const update = useSend('note_content/edit', { refreshes: ['note_content/list'] })
  const [content, setContent] = useState(row?.content ?? '')
  const [tried, setTried] = useState(false)
  const blank = !/\S/u.test(content)
  const sending = create.isPending || update.isPending
  const error = row ? update.error : create.error
  const submit = () => {
    if (sending) return
    setTried(true)
    if (blank) return
    const done = {
      onSuccess: () => {
        notify.done(t(row ? 'done.edited' : 'done.created'))
        onClose()
      },
    }
    if (row) update.mutate({ content_id: row.content_id, note_id: noteId, content }, done)
    else create.mutate({ note_id: noteId, content }, done)
  }
  return (
    <Dialog
      title={t(row ? 'note.edit_content' : 'note.add_content')}
      onClose={onClose}
      onSubmit={submit}
      hasChanges={content !== (row?.content ?? '')}
      buttons={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="primary" htmlType="submit" loading={sending}>
            {t(row ? 'action.save' : 'account.create')}
          </Button>
        </>
      }
    >
      {error && <Alert text={error.message} />}
      <Field label={t('note.content')} required error={tried && blank ? t('field.needed') : undefined}>
        {({ status: _, ...control }) => (
          <textarea
            {...control}
            autoFocus
            className="input note-box"
            dir="auto"
            rows={6}
            maxLength={MAX_TEXT}
            value={content}
            onChange={(event) => setContent(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}

export const DeleteContentDialog = ({ row, onClose }: { row: Row; onClose: () => void }) => {
  const { t } = useWords()
  const remove = useSend('note_content/delete', { refreshes: ['note_content/list'] })
  const onSuccess = () => {
    notify.done(t('note.deleted'))
    onClose()
  }
  return (
    <ConfirmDialog
      title={t('note.delete_content')}
      act={t('action.delete')}
      danger
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ content_id: row.content_id, note_id: row.note_id }, { onSuccess })}
      onClose={onClose}
    >
      <p dir="auto" className="note-text note-quoted">
        {row.content}
      </p>
      <p>{t('note.delete_what')}</p>
    </ConfirmDialog>
  )
}
