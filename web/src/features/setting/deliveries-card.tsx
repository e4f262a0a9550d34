import type { Answer } from '@tallyroom/contract'
import { useEffect, useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { Button } from '../../ui/control/button.tsx'
import { Check } from '../../ui/form/check.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'

type Delivery = Answer<'webhook/list'>['data'][number]

const stateOf = ({ delivered_at, due_at }: Delivery) => (delivered_at ? 'done' : due_at ? 'waits' : 'failed')
const stateWords = { done: 'webhook.delivered', waits: 'webhook.waiting', failed: 'webhook.failed' } as const

/** How often the answer to a test is looked for. */
const ANSWER_MS = 1000

/** Webhook deliveries to the platform, with its answers. */
export const DeliveriesCard = () => {
  const { t } = useWords()
  const [undelivered, setUndelivered] = useState(false)
  const sent = useCall('webhook/list', { undelivered })
  const resend = useSend('webhook/resend', { refreshes: ['webhook/list'] })
  const ping = useSend('webhook/ping', { refreshes: ['webhook/list'] })
  const rows = sent.data?.data
  const isOnItsWay = rows?.some(({ id, last_answer }) => id === ping.data?.id && last_answer === '') ?? false
  const { refetch } = sent
  useEffect(() => {
    if (!isOnItsWay) return undefined
    const timer = setInterval(() => void refetch(), ANSWER_MS)
    return () => clearInterval(timer)
  }, [isOnItsWay, refetch])
  const send = (delivery_id?: string) =>
    resend.mutate(delivery_id === undefined ? {} : { delivery_id }, {
      onSuccess: ({ count }) => notify.done(count ? t('webhook.resent', { n: count }) : t('webhook.none')),
    })
  const answers: Record<string, string> = { no_url: t('webhook.no_url'), no_key: t('webhook.no_key') }
  return (
    <section className="card" aria-label={t('webhook.title')}>
      <h2>{t('webhook.title')}</h2>
      <p className="field">
        <Check isOn={undelivered} onChange={setUndelivered}>
          {t('webhook.undelivered')}
        </Check>
      </p>
      {[sent.error, resend.error, ping.error].map(
        (error) => error && <Alert key={error.message} text={error.message} />,
      )}
      {rows?.length === 0 && <p className="card-hint">{undelivered ? t('webhook.none') : t('table.empty')}</p>}
      <ul className="api-rows api-deliveries">
        {rows?.map((event) => (
          <li key={event.delivery_id}>
            <div className="api-row-text">
              <code>{event.kind}</code>
              <span className="api-row-more">
                {showMoment(event.created_at)} · {t('webhook.tries', { n: event.tries })}
                {event.last_answer && <span>{` · ${answers[event.last_answer] ?? event.last_answer}`}</span>}
              </span>
              {event.due_at && event.tries > 0 && (
                <span className="api-row-more">{t('webhook.next', { at: showMoment(event.due_at) })}</span>
              )}
            </div>
            <span className="api-state" data-state={stateOf(event)}>
              {t(stateWords[stateOf(event)])}
            </span>
            <Button
              small
              aria-label={t('webhook.resend_named', { name: event.kind })}
              disabled={resend.isPending}
              onClick={() => send(event.delivery_id)}
            >
              {t('message.retry')}
            </Button>
          </li>
        ))}
      </ul>
      <div className="api-form-buttons">
        <Button onClick={() => void refetch()}>{t('webhook.refresh')}</Button>
        <Button busy={ping.isPending || isOnItsWay} onClick={() => ping.mutate({})}>
          {t('webhook.ping')}
        </Button>
        {rows?.some((event) => stateOf(event) !== 'done') && (
          <Button disabled={resend.isPending} onClick={() => send()}>
            {t('webhook.resend_all')}
          </Button>
        )}
      </div>
    </section>
  )
}
