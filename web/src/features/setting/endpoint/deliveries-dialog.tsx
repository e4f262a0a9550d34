import type { Answer } from '@tallyroom/contract'
import { useState } from 'react'
import { useCall, useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { showMoment } from '../../../i18n/time.ts'
import { serverNow } from '../../../lib/clock.ts'
import { Button } from '../../../ui/control/button.tsx'
import { Check } from '../../../ui/form/check.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Alert, notify } from '../../../ui/overlay/message.tsx'
import type { EndpointRow } from './endpoint-row.ts'

type Delivery = Answer<'endpoint/deliveries'>['data'][number]
const stateOf = ({ delivered_at, due_at }: Delivery) => (delivered_at ? 'done' : due_at ? 'waits' : 'failed')
const stateWords = { done: 'webhook.delivered', waits: 'webhook.waiting', failed: 'webhook.failed' } as const

const DAY_MS = 86_400_000
/** What is typed, the same in every language: a minute in UTC. */
const EXAMPLE = 'YYYY-MM-DD HH:mm'
const minuteOf = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ')
const timeOf = (typed: string) => {
  const at = Date.parse(`${typed.trim().replace(' ', 'T')}:00Z`)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** The last deliveries to an endpoint with its answers, a test, and sending again. */
export const DeliveriesDialog = ({ row, onClose }: { row: EndpointRow; onClose: () => void }) => {
  const { t } = useWords()
  const { id } = row
  const [undelivered, setUndelivered] = useState(false)
  const [since, setSince] = useState(() => minuteOf(serverNow() - DAY_MS))
  const sent = useCall('endpoint/deliveries', { id, undelivered })
  const resend = useSend('endpoint/resend', { refreshes: ['endpoint/deliveries', 'endpoint/list'] })
  const ping = useSend('endpoint/ping', { refreshes: ['endpoint/deliveries'] })
  const from = timeOf(since)
  const sendAgain = (which: { event?: string; from?: string }) =>
    resend.mutate(
      { id, ...which },
      { onSuccess: ({ count }) => notify.done(count ? t('webhook.resent', { n: count }) : t('webhook.none')) },
    )
  const error = sent.error ?? resend.error ?? ping.error
  return (
    <Dialog
      title={`${t('endpoint.open')}: ${row.url}`}
      width={680}
      hasChanges={false}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={() => void sent.refetch()}>{t('webhook.refresh')}</Button>
          <Button busy={ping.isPending} onClick={() => ping.mutate({ id })}>
            {t('webhook.ping')}
          </Button>
        </>
      }
    >
      {error && <Alert text={error.message} />}
      {ping.data && <p role="status">{t('endpoint.pinged', { answer: ping.data.status || '–', ms: ping.data.ms })}</p>}
      <Check isOn={undelivered} onChange={setUndelivered}>
        {t('webhook.undelivered')}
      </Check>
      {sent.data?.data.length === 0 && (
        <p className="card-hint">{undelivered ? t('webhook.none') : t('table.empty')}</p>
      )}
      <ul className="api-rows api-deliveries">
        {sent.data?.data.map((delivery) => (
          <DeliveryItem
            key={delivery.event}
            delivery={delivery}
            isBusy={resend.isPending}
            onResend={() => sendAgain({ event: delivery.event })}
          />
        ))}
      </ul>
      <TextField label={t('endpoint.since')} placeholder={EXAMPLE} value={since} onChange={setSince} />
      <Button disabled={!from || resend.isPending} onClick={() => from && sendAgain({ from })}>
        {t('webhook.resend_all')}
      </Button>
    </Dialog>
  )
}

type ItemProps = { delivery: Delivery; isBusy: boolean; onResend: () => void }
const DeliveryItem = ({ delivery, isBusy, onResend }: ItemProps) => {
  const { t } = useWords()
  const { kind, seq, at, tries, answer, answer_body, ms, due_at, data } = delivery
  const answers: Record<string, string> = { no_url: t('webhook.no_url'), no_key: t('webhook.no_key') }
  return (
    <li>
      <div className="api-row-text">
        <code>
          {seq} {kind}
        </code>
        <span className="api-row-more">
          {showMoment(at)} · {t('webhook.tries', { n: tries })}
          {answer && <span>{` · ${answers[answer] ?? answer}`}</span>}
          {ms !== null && <span>{` · ${ms} ms`}</span>}
        </span>
        {due_at && tries > 0 && <span className="api-row-more">{t('webhook.next', { at: showMoment(due_at) })}</span>}
        <details className="api-row-more">
          <summary>{t('endpoint.bodies')}</summary>
          <code>{data}</code>
          {answer_body && <pre className="api-answer">{answer_body}</pre>}
        </details>
      </div>
      <span className="api-state" data-state={stateOf(delivery)}>
        {t(stateWords[stateOf(delivery)])}
      </span>
      {kind !== 'ping' && (
        <Button
          small
          aria-label={t('webhook.resend_named', { name: `${seq} ${kind}` })}
          disabled={isBusy}
          onClick={onResend}
        >
          {t('message.retry')}
        </Button>
      )}
    </li>
  )
}
