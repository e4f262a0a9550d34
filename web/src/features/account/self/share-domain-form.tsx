import { MAX_SHARE_DOMAIN } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import { Button } from 'antd'
import { type FormEvent, Fragment, useState } from 'react'
import { shareLink } from '../../../domain/share-link.ts'
import { UnsavedChanges } from '../../../ui/form/unsaved-changes.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { TextField } from '../fields.tsx'

/** SHELL-03: the domain of share links of an agent or admin and of its customer service. */
export const ShareDomainForm = ({ own }: { own: Answer<'user/view'> }) => {
  const { t } = useWords()
  const save = useSend('share/saveDomain', { refreshes: ['user/view'] })
  const [typed, setTyped] = useState(own.domain)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    save.mutate(
      { domain: typed.trim() },
      {
        onSuccess: ({ domain }) => {
          setTyped(domain)
          notify.done(t('done.saved'))
        },
      },
    )
  }
  return (
    <form className="card" onSubmit={submit} noValidate>
      <UnsavedChanges hasChanges={typed.trim() !== own.domain} />
      <h2>{t('share.link')}</h2>
      <p className="card-hint share-address">{shareLink(own)}</p>
      <TextField
        label={t('share.domain')}
        hint={unbroken(t('share.domain_hint'), '?a=')}
        error={save.error?.message}
        maxLength={MAX_SHARE_DOMAIN}
        autoComplete="off"
        value={typed}
        onChange={(text) => {
          setTyped(text)
          save.reset()
        }}
      />
      <div className="card-buttons">
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          {t('action.save')}
        </Button>
      </div>
    </form>
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
