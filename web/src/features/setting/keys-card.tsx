import { MAX_NAME } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import { Button } from '../../ui/control/button.tsx'
import { type FormEvent, useState } from 'react'
import { CallError, call } from '../../api/call.ts'
import { passwordRefusal } from '../../api/password-refusal.ts'
import { copyText } from '../../lib/clipboard.ts'
import { showMoment } from '../../i18n/time.ts'
import { Check } from '../../ui/form/check.tsx'
import { PasswordAgain } from '../../ui/form/current-password.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { takeFocus } from '../../ui/keyboard/focus.ts'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'

type NewKey = Answer<'apiKey/add'>
type KeyRow = Answer<'apiKey/list'>['data'][number]
type KeyAction = { kind: 'add'; label: string; only_webhooks: boolean } | { kind: 'rotate'; id: string }

/** The keys of the member API. A new secret is shown once. */
export const KeysCard = () => {
  const { t } = useWords()
  const keys = useCall('apiKey/list', {})
  const [label, setLabel] = useState('')
  const [onlyWebhooks, setOnlyWebhooks] = useState(false)
  const [made, setMade] = useState<NewKey>()
  const [lastAction, setLastAction] = useState<KeyAction>()
  const [revoked, setRevoked] = useState<KeyRow>()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<CallError>()
  const [busy, setBusy] = useState(false)
  const { needsPassword: asksPassword, shown } = passwordRefusal('apiKey/add', error)

  const run = async (next: KeyAction | { kind: 'revoke'; id: string }) => {
    if (busy) return
    setBusy(true)
    setError(undefined)
    if (next.kind !== 'revoke') setLastAction(next)
    const proof = password ? { current_password: password } : {}
    try {
      if (next.kind === 'add')
        setMade(await call('apiKey/add', { label: next.label, only_webhooks: next.only_webhooks, ...proof }))
      else if (next.kind === 'rotate') setMade(await call('apiKey/rotate', { id: next.id, ...proof }))
      else {
        await call('apiKey/revoke', { id: next.id })
        if (made?.id === next.id) setMade(undefined)
        notify.done(t('api_key.revoked'))
      }
      setLabel('')
      setOnlyWebhooks(false)
      setPassword('')
      await keys.refetch()
    } catch (failure) {
      if (failure instanceof CallError) setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const cancel = () => {
    setError(undefined)
    setPassword('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(
      asksPassword && lastAction ? lastAction : { kind: 'add', label: label.trim(), only_webhooks: onlyWebhooks },
    )
  }
  return (
    <section className="card" aria-label={t('api_key.title')}>
      <h2>{t('api_key.title')}</h2>
      <p className="card-hint">{t('api_key.hint')}</p>
      {shown && <Alert text={shown.message} />}
      {keys.error && <Alert text={keys.error.message} />}
      {made && <Secret made={made} />}
      {keys.data?.data.length === 0 && <p className="card-hint">{t('table.empty')}</p>}
      <ul className="api-rows">
        {keys.data?.data.map((key) => (
          <KeyItem
            key={key.id}
            row={key}
            onRotate={() => void run({ kind: 'rotate', id: key.id })}
            onRevoke={() => setRevoked(key)}
          />
        ))}
      </ul>
      <UnsavedChanges hasChanges={label.trim() !== ''} />
      <form onSubmit={submit} noValidate>
        {asksPassword ? (
          <PasswordAgain value={password} onChange={setPassword} />
        ) : (
          <>
            <TextField label={t('api_key.label')} maxLength={MAX_NAME} value={label} onChange={setLabel} />
            <p className="field">
              <Check isOn={onlyWebhooks} onChange={setOnlyWebhooks}>
                {t('api_key.only_webhooks')}
              </Check>
              <span className="setting-more">{t('api_key.only_webhooks_hint')}</span>
            </p>
          </>
        )}
        <div className="api-form-buttons">
          <Button main submits busy={busy}>
            {t(asksPassword && lastAction?.kind === 'rotate' ? 'api_key.rotate' : 'api_key.make')}
          </Button>
          {asksPassword && <Button onClick={cancel}>{t('action.cancel')}</Button>}
        </div>
      </form>
      {revoked && (
        <RevokeDialog
          row={revoked}
          onClose={() => setRevoked(undefined)}
          onRevoke={() => {
            setRevoked(undefined)
            void run({ kind: 'revoke', id: revoked.id })
          }}
        />
      )}
    </section>
  )
}

type KeyItemProps = { row: KeyRow; onRotate: () => void; onRevoke: () => void }
const KeyItem = ({ row, onRotate, onRevoke }: KeyItemProps) => {
  const { t } = useWords()
  return (
    <li data-off={!row.active || undefined}>
      <div className="api-row-text">
        <code>{row.id}</code>
        <span>{row.label}</span>
        <span className="api-row-more">
          {row.active
            ? row.revoked_at
              ? t('api_key.until', { at: showMoment(row.revoked_at) })
              : row.used_at
                ? t('api_key.used', { at: showMoment(row.used_at) })
                : t('api_key.unused')
            : t('api_key.revoked')}
          {row.only_webhooks && <span>{` · ${t('api_key.only_webhooks')}`}</span>}
          {row.signs_webhooks && <span>{` · ${t('api_key.signs')}`}</span>}
        </span>
      </div>
      {row.active && (
        <div className="api-row-buttons">
          {!row.revoked_at && (
            <Button small aria-label={t('api_key.rotate_named', { name: row.label || row.id })} onClick={onRotate}>
              {t('api_key.rotate')}
            </Button>
          )}
          <Button small danger aria-label={t('api_key.revoke_named', { name: row.label || row.id })} onClick={onRevoke}>
            {t('api_key.revoke')}
          </Button>
        </div>
      )}
    </li>
  )
}

const Secret = ({ made }: { made: NewKey }) => {
  const { t } = useWords()
  return (
    <div className="api-secret" role="status">
      <p>{t('api_key.once')}</p>
      <code>{made.id}</code>
      <code>{made.secret}</code>
      <Button
        // The next act: the secret is not shown again.
        ref={takeFocus}
        small
        onClick={() => void copyText(made.secret).then((done) => done && notify.done(t('api_key.copied')))}
      >
        {t('api_key.copy')}
      </Button>
    </div>
  )
}

type RevokeProps = { row: KeyRow; onClose: () => void; onRevoke: () => void }

/** A platform that still uses the key is cut off at once, so one press is not enough. */
const RevokeDialog = ({ row, onClose, onRevoke }: RevokeProps) => {
  const { t } = useWords()
  const name = row.label || row.id
  return (
    <ConfirmDialog
      title={t('api_key.revoke_named', { name })}
      act={t('api_key.revoke')}
      danger
      onConfirm={onRevoke}
      onClose={onClose}
    >
      <p>{t('api_key.revoke_what')}</p>
    </ConfirmDialog>
  )
}
