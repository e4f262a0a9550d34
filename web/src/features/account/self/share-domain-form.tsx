import { MAX_SHARE_DOMAIN } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import { Fragment } from 'react'
import { shareLink } from '../../../domain/share-link.ts'
import { FormCard } from '../../../ui/form/form-card.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { UnsavedChanges } from '../../../ui/form/unsaved-changes.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { TextField } from '../../../ui/form/text-field.tsx'

/** SHELL-03: the domain of share links of an agent or admin and of its customer service. */
export const ShareDomainForm = ({ own }: { own: Answer<'user/view'> }) => {
  const { t } = useWords()
  const save = useSend('share/saveDomain', { refreshes: ['user/view'] })
  const form = useForm({ domain: own.domain })
  const submit = form.submit(
    ({ domain }) => save.mutateAsync({ domain: domain.trim() }),
    (saved) => {
      form.set(saved)
      notify.done(t('done.saved'))
    },
  )
  return (
    <FormCard title={t('share.link')} form={form} onSubmit={submit}>
      <p className="card-hint share-address">{shareLink(own)}</p>
      <UnsavedChanges hasChanges={form.draft.domain.trim() !== own.domain} />
      <TextField
        label={t('share.domain')}
        hint={unbroken(t('share.domain_hint'), '?a=')}
        maxLength={MAX_SHARE_DOMAIN}
        autoComplete="off"
        {...form.field('domain')}
      />
    </FormCard>
  )
}

/** The text with a part that is not broken over two lines: a browser may break after "?". */
const unbroken = (text: string, part: string) =>
  text.split(part).map((piece, at) => (
    <Fragment key={at}>
      {at > 0 && <span className="share-part">{part}</span>}
      {piece}
    </Fragment>
  ))
