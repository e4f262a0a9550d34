import { MAX_NOTE_TITLE } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'

type Note = Answer<'note/list'>['data'][number]
type Props = { roomId: string; friend: string; note?: Note; onClose: () => void }

/** NOTE-02: a new note is unfinished; an edit sets whether it is finished. Without a title nothing is sent. */
export const NoteDialog = ({ roomId, friend, note, onClose }: Props) => {
  const { t } = useWords()
  const create = useSend('note/add', { refreshes: ['note/list'] })
  const update = useSend('note/edit', { refreshes: ['note/list', 'note_content/list'] })
  const [title, setTitle] = useState(note?.title ?? '')
  const [status, setStatus] = useState(note?.status ?? 0)
  const [tried, setTried] = useState(false)
  const blank = !/\S/u.test(title)
  const sending = create.isPending || update.isPending
  const error = note ? update.error : create.error
  const submit = () => {
    if (sending) return
    setTried(true)
    if (blank) return
    const done = {
      onSuccess: () => {
        notify.done(t(note ? 'done.edited' : 'done.created'))
        onClose()
      },
    }
    if (note) update.mutate({ note_id: note.note_id, room_id: roomId, title, status }, done)
    else create.mutate({ room_id: roomId, title, status: 0 }, done)
  }
  return (
    <Dialog
      title={t(note ? 'note.edit' : 'note.add')}
      onClose={onClose}
      onSubmit={submit}
      hasChanges={title !== (note?.title ?? '') || status !== (note?.status ?? 0)}
      buttons={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="primary" htmlType="submit" loading={sending}>
            {t(note ? 'action.save' : 'account.create')}
          </Button>
        </>
      }
    >
      {error && <Alert text={error.message} />}
      <Field label={t('note.friend')}>{(control) => <Input {...control} disabled value={friend} />}</Field>
      <Field label={t('note.title')} required error={tried && blank ? t('field.needed') : undefined}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            dir="auto"
            maxLength={MAX_NOTE_TITLE}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
        )}
      </Field>
      <Field label={t('account.status')}>
        {({ status: _, ...control }) => (
          <select
            {...control}
            className="select"
            disabled={!note}
            value={status}
            onChange={(event) => setStatus(event.target.value === '1' ? 1 : 0)}
          >
            <option value={0}>{t('note.unfinished')}</option>
            <option value={1}>{t('note.finished')}</option>
          </select>
        )}
      </Field>
    </Dialog>
  )
}
