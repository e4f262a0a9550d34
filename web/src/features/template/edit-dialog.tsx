import { MAX_NAME, MAX_TEXT } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import type { Answer } from '@tallyroom/contract'
import { useRef, useState } from 'react'
import { NO_ANSWER } from '../../api/call.ts'
import { insertText } from '../../chat/view/composer/composer-plugin.ts'
import { useTextLimit } from '../../ui/control/use-text-limit.ts'
import { Field } from '../../ui/form/field.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { notify } from '../../ui/overlay/message.tsx'
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
  const needed = (text: string) => isBlank(text) && t('field.needed')
  const form = useForm(
    { title: row?.title ?? '', content: row?.content ?? '', memo: row?.memo ?? '', image: row?.image ?? '' },
    { title: needed, content: needed },
  )
  const { draft } = form
  const [chosen, setChosen] = useState<Row['type']>(row?.type ?? 1)
  const [reading, setReading] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)

  const unknown = unknownIn(draft.content)
  // A private or agent's reply keeps its type; every type that is offered is saved as general.
  const keepsType = chosen === 2 || chosen === 9
  const submit = form.submit<unknown>(
    ({ image, ...typed }) => {
      const picture = image === (row?.image ?? '') ? {} : { image }
      const input = { ...typed, type: keepsType ? chosen : (1 as const), ...picture }
      return row ? update.mutateAsync({ ...input, targetID: row.id }) : create.mutateAsync(input)
    },
    () => {
      notify.done(t(row ? 'done.edited' : 'done.created'))
      onClose()
    },
  )
  const insertVariable = (words: string) => {
    const at = box.current
    if (at) insertText(at, at.selectionStart, at.selectionEnd, words)
  }
  // As in the source, a refusal keeps the dialog open without a message. A missing answer is not a refusal.
  const isUnanswered = (update.error ?? create.error)?.code === NO_ANSWER
  const content = form.field('content')
  const limited = useTextLimit<HTMLTextAreaElement>({
    maxLength: MAX_TEXT,
    value: content.value,
    onChange: ({ target }) => content.onChange(target.value),
  })
  return (
    <FormDialog
      title={t(row ? 'template.edit' : 'template.add')}
      act={t(row ? 'action.save' : 'account.create')}
      form={{ ...form, refused: isUnanswered ? form.refused : undefined }}
      disabled={reading}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('template.title')}
        required
        autoFocus
        dir="auto"
        maxLength={MAX_NAME}
        showCount
        {...form.field('title')}
      />
      <Field
        label={t('template.content')}
        required
        error={content.error}
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
        {(control) => (
          <textarea
            {...control}
            ref={box}
            className="input t-box"
            dir="auto"
            rows={5}
            value={content.value}
            {...limited}
          />
        )}
      </Field>
      <TextField label={t('template.memo')} dir="auto" maxLength={MAX_NAME} showCount {...form.field('memo')} />
      <PhotoField value={draft.image} onChange={form.field('image').onChange} onReading={setReading} />
      <Field label={t('template.type')} hint={t(keepsType ? 'template.type_stays' : 'template.saved_as_general')}>
        {(control) => (
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
    </FormDialog>
  )
}
