import { MAX_NAME, MAX_TEXT } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import type { Answer } from '@tallyroom/contract'
import { Button, Input } from 'antd'
import { useRef, useState } from 'react'
import { NO_ANSWER } from '../../api/call.ts'
import { insertText } from '../../chat/view/composer/composer-plugin.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { unknownIn, variables } from './fill.ts'
import { PhotoField } from './photo-field.tsx'

type Row = Answer<'message-template/list'>['data'][number]

/** The types that are offered (TMPL-01). */
const OFFERED = [1, 3] as const

/** TMPL-01: creates or changes a quick reply. */
export const EditDialog = ({ row, onClose }: { row?: Row; onClose: () => void }) => {
  const { t } = useWords()
  const create = useSend('message-template/create', { refreshes: ['message-template/list'] })
  const update = useSend('message-template/update', { refreshes: ['message-template/list'] })
  const before = { title: row?.title ?? '', content: row?.content ?? '', memo: row?.memo ?? '' }
  const [typed, setTyped] = useState(before)
  const [chosen, setChosen] = useState<Row['type']>(row?.type ?? 1)
  const [image, setImage] = useState<string>()
  const [reading, setReading] = useState(false)
  const [tried, setTried] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const put = (key: keyof typeof before) => (value: string) => setTyped((now) => ({ ...now, [key]: value }))
  const needed = (text: string) => (tried && isBlank(text) ? t('field.needed') : undefined)

  const unknown = unknownIn(typed.content)
  // A private or agent's reply keeps its type; every type that is offered is saved as general.
  const keepsType = chosen === 2 || chosen === 9
  const sending = create.isPending || update.isPending
  const submit = () => {
    if (sending) return
    setTried(true)
    if (isBlank(typed.title) || isBlank(typed.content)) return
    const input = { ...typed, type: keepsType ? chosen : 1, ...(image === undefined ? {} : { image }) } as const
    const done = {
      onSuccess: () => {
        notify.done(t(row ? 'done.edited' : 'done.created'))
        onClose()
      },
    }
    if (row) update.mutate({ ...input, targetID: row.id }, done)
    else create.mutate(input, done)
  }
  const insertVariable = (words: string) => {
    const at = box.current
    if (at) insertText(at, at.selectionStart, at.selectionEnd, words)
  }
  // As in the source, a refusal keeps the dialog open without a message. A missing answer is not a refusal.
  const error = row ? update.error : create.error
  const changed = image !== undefined || Object.entries(before).some(([key, was]) => typed[key as 'title'] !== was)
  return (
    <Dialog
      title={t(row ? 'template.edit' : 'template.add')}
      onClose={onClose}
      onSubmit={submit}
      hasChanges={changed}
      buttons={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="primary" htmlType="submit" loading={sending} disabled={reading}>
            {t(row ? 'action.save' : 'account.create')}
          </Button>
        </>
      }
    >
      {error?.code === NO_ANSWER && <Alert text={error.message} />}
      <Field label={t('template.title')} required error={needed(typed.title)}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            dir="auto"
            maxLength={MAX_NAME}
            showCount
            value={typed.title}
            onChange={(event) => put('title')(event.target.value)}
          />
        )}
      </Field>
      <Field
        label={t('template.content')}
        required
        error={needed(typed.content)}
        hint={
          <span className="t-variables">
            {t('template.variables')}
            {variables.map((name) => (
              <button key={name} type="button" className="c-variable" onClick={() => insertVariable(`{${name}}`)}>
                {`{${name}}`}
              </button>
            ))}
            <span className="t-unknown" role="status">
              {unknown.length > 0 && t('template.unknown', { words: unknown.join(' ') })}
            </span>
          </span>
        }
      >
        {({ status: _, ...control }) => (
          <textarea
            {...control}
            ref={box}
            className="input t-box"
            dir="auto"
            rows={5}
            maxLength={MAX_TEXT}
            value={typed.content}
            onChange={(event) => put('content')(event.target.value)}
          />
        )}
      </Field>
      <Field label={t('template.memo')}>
        {(control) => (
          <Input
            {...control}
            dir="auto"
            maxLength={MAX_NAME}
            showCount
            value={typed.memo}
            onChange={(event) => put('memo')(event.target.value)}
          />
        )}
      </Field>
      <PhotoField value={image ?? row?.image ?? ''} onChange={setImage} onReading={setReading} />
      <Field label={t('template.type')} hint={t(keepsType ? 'template.type_stays' : 'template.saved_as_general')}>
        {({ status: _, ...control }) => (
          <select
            {...control}
            className="select"
            disabled={keepsType}
            value={chosen}
            onChange={(event) => setChosen(Number(event.target.value) as Row['type'])}
          >
            {(keepsType ? [chosen] : OFFERED).map((type) => (
              <option key={type} value={type}>
                {t(`template.type_${type}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Dialog>
  )
}
