import { Button } from '../../ui/control/button.tsx'
import { type FormEvent, type ReactNode, useState } from 'react'
import { CallError, call } from '../../api/call.ts'
import { passwordRefusal } from '../../api/password-refusal.ts'
import { showMoment } from '../../i18n/time.ts'
import { groupCount } from '../../ui/form/amount-text.ts'
import { PasswordAgain } from '../../ui/form/current-password.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Secret } from './secret.tsx'
import { KeyDialog, type KeyRow, type NewKey, rightWords } from './key-dialog.tsx'

/** The keys of the member API, then those of the sandbox. A new secret is shown once. */
export const KeysCard = () => {
  const { t } = useWords()
  const keys = useCall('apiKey/list', {})
  const [made, setMade] = useState<NewKey>()
  /** The dialog that is open: for a key, or for a new one. */
  const [changed, setChanged] = useState<KeyRow | 'new' | 'sandbox'>()
  const [rotated, setRotated] = useState<string>()
  const [revoked, setRevoked] = useState<KeyRow>()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<CallError>()
  const [busy, setBusy] = useState(false)
  const { needsPassword: asksPassword, shown } = passwordRefusal('apiKey/rotate', error)

  const run = async (act: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      await act()
      setPassword('')
      await keys.refetch()
    } catch (failure) {
      if (failure instanceof CallError) setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const rotate = (id: string) => {
    setRotated(id)
    return run(async () =>
      setMade(await call('apiKey/rotate', { id, ...(password ? { current_password: password } : {}) })),
    )
  }
  const revoke = (id: string) =>
    run(async () => {
      await call('apiKey/revoke', { id })
      if (made?.id === id) setMade(undefined)
      notify.done(t('api_key.revoked'))
    })
  const empty = () =>
    run(async () => {
      await call('apiKey/emptySandbox', {})
      notify.done(t('audit.kind_sandbox_emptied'))
    })
  const rows = keys.data?.data ?? []
  const own = rows.filter(({ is_sandbox }) => !is_sandbox)
  const ofSandbox = rows.filter(({ is_sandbox }) => is_sandbox)
  const acts = { onChange: setChanged, onRotate: ({ id }: KeyRow) => void rotate(id), onRevoke: setRevoked }
  const cancel = () => {
    setError(undefined)
    setPassword('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (rotated) void rotate(rotated)
  }
  return (
    <section className="card" aria-label={t('api_key.title')}>
      <h2>{t('api_key.title')}</h2>
      <p className="card-hint">{t('api_key.hint')}</p>
      {shown && <Alert text={shown.message} />}
      {keys.error && <Alert text={keys.error.message} />}
      {made && <Secret made={made} />}
      {keys.data && own.length === 0 && <p className="card-hint">{t('table.empty')}</p>}
      <KeyList rows={own} {...acts} />
      {asksPassword ? (
        <form onSubmit={submit} noValidate>
          <PasswordAgain value={password} onChange={setPassword} />
          <div className="api-form-buttons">
            <Button main submits busy={busy}>
              {t('api_key.rotate')}
            </Button>
            <Button onClick={cancel}>{t('action.cancel')}</Button>
          </div>
        </form>
      ) : (
        <Button main onClick={() => setChanged('new')}>
          {t('api_key.make')}
        </Button>
      )}
      <Sandbox hasKeys={ofSandbox.length > 0} onMake={() => setChanged('sandbox')} onEmpty={() => void empty()}>
        <KeyList rows={ofSandbox} {...acts} />
      </Sandbox>
      {changed && (
        <KeyDialog
          row={typeof changed === 'string' ? undefined : changed}
          isNewOfSandbox={changed === 'sandbox'}
          onClose={() => setChanged(undefined)}
          onDone={({ made: key, approval }) => {
            setChanged(undefined)
            if (key) setMade(key)
            if (approval) notify.done(t(key ? 'api_key.waits' : 'change.asked'))
            else if (!key) notify.done(t('done.saved'))
            void keys.refetch()
          }}
        />
      )}
      {revoked && (
        <RevokeDialog
          row={revoked}
          onClose={() => setRevoked(undefined)}
          onRevoke={() => {
            setRevoked(undefined)
            void revoke(revoked.id)
          }}
        />
      )}
    </section>
  )
}

type SandboxProps = { hasKeys: boolean; onMake: () => void; onEmpty: () => void; children: ReactNode }
const Sandbox = ({ hasKeys, onMake, onEmpty, children }: SandboxProps) => {
  const { t } = useWords()
  const [isAsked, setIsAsked] = useState(false)
  const empty = t('api_key.sandbox_empty')
  return (
    <>
      <h3 className="api-sandbox">{t('shell.sandbox')}</h3>
      <p className="card-hint">{t('api_key.sandbox_hint')}</p>
      {children}
      <div className="api-form-buttons">
        <Button onClick={onMake}>{t('api_key.sandbox_make')}</Button>
        {hasKeys && (
          <Button danger onClick={() => setIsAsked(true)}>
            {empty}
          </Button>
        )}
      </div>
      {isAsked && (
        <ConfirmDialog
          title={empty}
          act={empty}
          danger
          onConfirm={() => {
            setIsAsked(false)
            onEmpty()
          }}
          onClose={() => setIsAsked(false)}
        >
          <p>{t('api_key.sandbox_what')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

type KeyActs = Record<'onChange' | 'onRotate' | 'onRevoke', (row: KeyRow) => void>
const KeyList = ({ rows, ...acts }: KeyActs & { rows: KeyRow[] }) => (
  <ul className="api-rows">
    {rows.map((row) => (
      <KeyItem key={row.id} row={row} {...acts} />
    ))}
  </ul>
)

const KeyItem = ({ row, onChange, onRotate, onRevoke }: KeyActs & { row: KeyRow }) => {
  const { t } = useWords()
  const { rights, addresses, expires_on, per_second, version, days } = row
  const sum = (of: 'calls' | 'refused') => days.reduce((n, day) => n + day[of], 0)
  const terms = [
    rights.map((right) => t(rightWords[right])).join(', ') || t('api_key.no_rights'),
    addresses.length > 0 && t('api_key.from', { addresses: addresses.join(', ') }),
    expires_on && t('api_key.last_day', { day: expires_on }),
    per_second && t('api_key.rate', { n: per_second }),
    version && t('api_key.form', { date: version }),
    row.signs_webhooks && t('api_key.signs'),
  ]
  return (
    <li data-off={!row.active || undefined}>
      <div className="api-row-text">
        <code>{row.id}</code>
        <span>{row.label}</span>
        {row.is_sandbox && <span className="chip">{t('shell.sandbox')}</span>}
        <span className="api-row-more">
          {row.active
            ? row.revoked_at
              ? t('api_key.until', { at: showMoment(row.revoked_at) })
              : row.used_at
                ? t('api_key.used', { at: showMoment(row.used_at) })
                : t('api_key.unused')
            : t(row.revoked_at ? 'api_key.revoked' : 'api_key.expired')}
        </span>
        {row.active && <span className="api-row-more">{terms.filter(Boolean).join(' · ')}</span>}
        {days.length > 0 && (
          <details className="api-row-more">
            <summary>
              {t('api_key.calls', { calls: groupCount(sum('calls')), refused: groupCount(sum('refused')) })}
            </summary>
            <ul>
              {days.map(({ day, calls, refused }) => (
                <li key={day}>{t('api_key.day', { day, calls: groupCount(calls), refused: groupCount(refused) })}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {(row.active || !row.revoked_at) && (
        <div className="api-row-buttons">
          {!row.revoked_at && (
            <Button
              small
              aria-label={t('api_key.change_named', { name: row.label || row.id })}
              onClick={() => onChange(row)}
            >
              {t('api_key.change')}
            </Button>
          )}
          {!row.revoked_at && (
            <Button
              small
              aria-label={t('api_key.rotate_named', { name: row.label || row.id })}
              onClick={() => onRotate(row)}
            >
              {t('api_key.rotate')}
            </Button>
          )}
          <Button
            small
            danger
            aria-label={t('api_key.revoke_named', { name: row.label || row.id })}
            onClick={() => onRevoke(row)}
          >
            {t('api_key.revoke')}
          </Button>
        </div>
      )}
    </li>
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
