import { MAX_NOTE_TITLE } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import { isBlank } from '@tallyroom/contract/text/blank'
import { Field } from '../../ui/form/field.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { notify } from '../../ui/overlay/message.tsx'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'

type Note = Answer<'note/list'>['data'][number]
type Props = { roomId: string; friend: string; note?: Note; onClose: () => void }

/** NOTE-02: a new note is unfinished; an edit sets whether it is finished. Without a title nothing is sent. */
export const NoteDialog = ({ roomId, friend, note, onClose }: Props) => {
  const { t } = useWords()
  const create = useSend('note/add', { refreshes: ['note/list'] })
  const update = useSend('note/edit', { refreshes: ['note/list', 'note_content/list'] })
  const form = useForm(
    { title: note?.title ?? '', status: note?.status ?? 0 },
    { title: (text) => isBlank(text) && t('field.needed') },
  )
  const submit = form.submit<unknown>(
    ({ title, status }) =>
      note
        ? update.mutateAsync({ note_id: note.note_id, room_id: roomId, title, status })
        : create.mutateAsync({ room_id: roomId, title, status: 0 }),
    () => {
      notify.done(t(note ? 'done.edited' : 'done.created'))
      onClose()
    },
  )
  return (
    <FormDialog
      title={t(note ? 'note.edit' : 'note.add')}
      act={t(note ? 'action.save' : 'account.create')}
      form={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label={t('note.friend')} disabled value={friend} onChange={() => {}} />
      <TextField
        label={t('note.title')}
        required
        autoFocus
        dir="auto"
        maxLength={MAX_NOTE_TITLE}
        {...form.field('title')}
      />
      <Field label={t('account.status')}>
        {(control) => (
          <select
            {...control}
            className="select"
            disabled={!note}
            value={form.draft.status}
            onChange={(event) => form.set({ status: event.target.value === '1' ? 1 : 0 })}
          >
            <option value={0}>{t('note.unfinished')}</option>
            <option value={1}>{t('note.finished')}</option>
          </select>
        )}
      </Field>
    </FormDialog>
  )
}
