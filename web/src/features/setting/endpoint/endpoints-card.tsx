import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall, useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { showMoment } from '../../../i18n/time.ts'
import { Button } from '../../../ui/control/button.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Alert, notify } from '../../../ui/overlay/message.tsx'
import { Secret } from '../secret.tsx'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import { EndpointDialog } from './endpoint-dialog.tsx'
import type { EndpointRow } from './endpoint-row.ts'
import { RotateDialog } from './rotate-dialog.tsx'

type Open = { row: EndpointRow; dialog: 'change' | 'deliveries' | 'rotate' | 'remove' }

const stateWords = {
  on: 'endpoint.on',
  paused: 'endpoint.paused',
  gone: 'endpoint.gone',
  failing: 'endpoint.failing',
} as const
const stateOf = ({ state, why_off }: EndpointRow) => (state === 'off' ? (why_off ?? 'failing') : state)
const dataState = { on: 'done', paused: 'waits', off: 'failed' } as const

/** Where a platform's events are sent. A new secret is shown once. */
export const EndpointsCard = () => {
  const { t } = useWords()
  const endpoints = useCall('endpoint/list', {})
  const set = useSend('endpoint/set', { refreshes: ['endpoint/list'] })
  const remove = useSend('endpoint/remove', { refreshes: ['endpoint/list'] })
  const [made, setMade] = useState<{ id: string; secret: string }>()
  const [isAdding, setAdding] = useState(false)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const done = ({ approval }: { approval?: 0 | 1 | undefined }, secret?: { id: string; secret: string }) => {
    close()
    setAdding(false)
    if (secret) setMade(secret)
    if (approval) notify.done(t('change.asked'))
    else if (!secret) notify.done(t('done.saved'))
    void endpoints.refetch()
  }
  const error = endpoints.error ?? set.error
  return (
    <section className="card" aria-label={t('endpoint.title')}>
      <h2>{t('endpoint.title')}</h2>
      <p className="card-hint">
        {t('endpoint.hint')} <Link to="/file/api">{t('menu.api_doc')}</Link>
      </p>
      {error && <Alert text={error.message} />}
      {made && <Secret made={made} />}
      {endpoints.data?.data.length === 0 && <p className="card-hint">{t('table.empty')}</p>}
      <ul className="api-rows">
        {endpoints.data?.data.map((row) => (
          <EndpointItem
            key={row.id}
            row={row}
            onOpen={(dialog) => setOpen({ row, dialog })}
            onState={(state) => set.mutate({ id: row.id, state })}
          />
        ))}
      </ul>
      <Button main onClick={() => setAdding(true)}>
        {t('endpoint.add')}
      </Button>
      {isAdding && <EndpointDialog onClose={() => setAdding(false)} onDone={(answer) => done(answer, answer.made)} />}
      {open?.dialog === 'change' && <EndpointDialog row={open.row} onClose={close} onDone={done} />}
      {open?.dialog === 'deliveries' && <DeliveriesDialog row={open.row} onClose={close} />}
      {open?.dialog === 'rotate' && (
        <RotateDialog row={open.row} onClose={close} onDone={(secret) => done({}, secret)} />
      )}
      {open?.dialog === 'remove' && (
        <ConfirmDialog
          title={`${t('endpoint.remove')}: ${open.row.url}`}
          act={t('endpoint.remove')}
          danger
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ id: open.row.id }, { onSuccess: close })}
          onClose={close}
        >
          <p>{t('endpoint.remove_what')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

type ItemProps = {
  row: EndpointRow
  onOpen: (dialog: Open['dialog']) => void
  onState: (state: 'on' | 'paused') => void
}
const EndpointItem = ({ row, onOpen, onState }: ItemProps) => {
  const { t } = useWords()
  const { url, kinds, form, state, failing_since, old_until, waiting, given_up } = row
  const facts = [
    form === 'key' && t('endpoint.key_signed'),
    row.ordered && t('endpoint.ordered'),
    row.with_text && t('endpoint.with_text'),
    waiting + given_up > 0 && t('endpoint.counts', { waiting, given_up }),
    failing_since && t('endpoint.failing_since', { at: showMoment(failing_since) }),
    old_until && t('endpoint.old_until', { at: showMoment(old_until) }),
  ]
  const buttons = [
    ['change', t('api_key.change')],
    ['deliveries', t('endpoint.open')],
    ...(form === 'standard' ? ([['rotate', t('api_key.rotate')]] as const) : []),
    ['remove', t('endpoint.remove')],
  ] as const
  const toggle = t(state === 'on' ? 'endpoint.pause' : 'endpoint.turn_on')
  return (
    <li>
      <div className="api-row-text">
        {url ? <code>{url}</code> : <span>{t(form === 'key' ? 'webhook.no_url' : 'endpoint.no_url')}</span>}
        <span className="api-row-more">{kinds.join(', ')}</span>
        <span className="api-row-more">{facts.filter(Boolean).join(' · ')}</span>
      </div>
      <span className="api-state" data-state={dataState[state]}>
        {t(stateWords[stateOf(row)])}
      </span>
      <div className="api-row-buttons">
        <Button small aria-label={`${toggle}: ${url}`} onClick={() => onState(state === 'on' ? 'paused' : 'on')}>
          {toggle}
        </Button>
        {buttons.map(([dialog, label]) => (
          <Button
            key={dialog}
            small
            danger={dialog === 'remove'}
            aria-label={`${label}: ${url}`}
            onClick={() => onOpen(dialog)}
          >
            {label}
          </Button>
        ))}
      </div>
    </li>
  )
}
