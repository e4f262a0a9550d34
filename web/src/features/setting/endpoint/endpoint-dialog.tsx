import { type ChosenKind, chosenKinds } from '@tallyroom/contract/api/event-kinds'
import { MAX_API_URL } from '@tallyroom/contract/lengths'
import { call, newRequestId } from '../../../api/call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Check } from '../../../ui/form/check.tsx'
import { PasswordAgain } from '../../../ui/form/current-password.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import type { EndpointRow } from './endpoint-row.ts'

const EXAMPLE = 'https://'

const draftOf = (row: EndpointRow | undefined) => ({
  url: row?.url ?? '',
  kinds: chosenKinds.filter((kind) => !row || row.kinds.includes(kind)),
  ordered: row?.ordered ?? false,
  with_text: row?.with_text ?? false,
  current_password: '',
})
type Draft = ReturnType<typeof draftOf>

type Props = {
  /** The endpoint that changes; without one a new one is made. */
  row?: EndpointRow | undefined
  onClose: () => void
  /** `made`: the new endpoint with its secret. `approval`: its address waits. */
  onDone: (answer: { made?: { id: string; secret: string }; approval?: 0 | 1 | undefined }) => void
}

/** Where events go, and which. The address of the form from before is the API URL of the settings. */
export const EndpointDialog = ({ row, onClose, onDone }: Props) => {
  const { t } = useWords()
  const form = useForm(() => draftOf(row))
  const { draft } = form
  const isOwn = row?.form !== 'key'
  const send = async ({ url, current_password, ...others }: Draft) => {
    const proof = current_password ? { current_password } : {}
    const address = url.trim()
    if (!row) {
      const made = await call('endpoint/add', { url: address, ...others, ...proof })
      return { made, approval: made.approval }
    }
    const changed = address === row.url ? {} : { url: address }
    return call('endpoint/set', { request_id: newRequestId(), id: row.id, ...changed, ...others, ...proof })
  }
  const choose = (kind: ChosenKind, isOn: boolean) =>
    form.set({ kinds: chosenKinds.filter((one) => (one === kind ? isOn : draft.kinds.includes(one))) })
  return (
    <FormDialog
      title={row ? `${t('api_key.change')}: ${row.url}` : t('endpoint.add')}
      act={t(row ? 'action.save' : 'endpoint.add')}
      form={form}
      disabled={draft.kinds.length === 0}
      onSubmit={form.submit(send, onDone)}
      onClose={onClose}
    >
      {isOwn && (
        <TextField
          label={t('setting.api_url')}
          type="url"
          inputMode="url"
          maxLength={MAX_API_URL}
          placeholder={EXAMPLE}
          {...form.field('url')}
        />
      )}
      <div role="group" className="api-rights" aria-label={t('endpoint.events')}>
        {chosenKinds.map((kind) => (
          <Check key={kind} isOn={draft.kinds.includes(kind)} onChange={(isOn) => choose(kind, isOn)}>
            <code>{kind}</code>
          </Check>
        ))}
      </div>
      <p className="field">
        <Check isOn={draft.ordered} onChange={(ordered) => form.set({ ordered })}>
          {t('endpoint.ordered')}
        </Check>
      </p>
      {draft.kinds.includes('message.added') && (
        <p className="field">
          <Check isOn={draft.with_text} onChange={(with_text) => form.set({ with_text })}>
            {t('endpoint.with_text')}
          </Check>
        </p>
      )}
      {form.needsPassword && <PasswordAgain {...form.field('current_password')} />}
    </FormDialog>
  )
}
