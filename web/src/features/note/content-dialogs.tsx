import { MAX_TEXT } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import { type Mention, mentionsIn } from '@tallyroom/contract/text/mentions'
import { useState } from 'react'
import { isBlank } from '@tallyroom/contract/text/blank'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { notify } from '../../ui/overlay/message.tsx'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { MentionField } from '../../chat/view/mention/mention-field.tsx'

type Row = Answer<'note_content/list'>['data'][number]

/** NOTE-03: adds an entry to a note, or changes one. Without content nothing is sent. */
export const ContentDialog = ({ noteId, row, onClose }: { noteId: number; row?: Row; onClose: () => void }) => {
  const { t } = useWords()
  const create = useSend('note_content/add', { refreshes: ['note_content/list'] })
  const update = useSend('note_content/edit', { refreshes: ['note_content/list'] })
  const form = useForm({ content: row?.content ?? '' }, { content: (text) => isBlank(text) && t('field.needed') })
  const { value, error, onChange } = form.field('content')
  const [chosen, setChosen] = useState<Mention[]>(() => (row?.mentions ?? []).map(({ id, name }) => ({ id, name })))
  const submit = form.submit<unknown>(
    ({ content }) => {
      const mentions = mentionsIn(content, chosen)
      return row
        ? update.mutateAsync({ content_id: row.content_id, note_id: noteId, content, mentions })
        : create.mutateAsync({ note_id: noteId, content, mentions })
    },
    () => {
      notify.done(t(row ? 'done.edited' : 'done.created'))
      onClose()
    },
  )
  return (
    <FormDialog
      title={t(row ? 'note.edit_content' : 'note.add_content')}
      act={t(row ? 'action.save' : 'account.create')}
      form={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <MentionField
        label={t('note.content')}
        required
        error={error}
        autoFocus
        className="note-box"
        rows={6}
        maxLength={MAX_TEXT}
        value={value}
        onChange={onChange}
        chosen={chosen}
        onChoose={setChosen}
      />
    </FormDialog>
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
