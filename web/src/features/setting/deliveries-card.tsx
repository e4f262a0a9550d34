import type { Answer } from '@tallyroom/contract'
import { Button } from 'antd'
import { showMoment } from '../../i18n/time.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'

/** Webhook deliveries to the platform, with its answers. */
export const DeliveriesCard = () => {
  const { t } = useWords()
  const sent = useCall('webhook/list', {})
  const stateOf = ({ delivered_at, due_at }: Answer<'webhook/list'>['data'][number]) =>
    t(delivered_at ? 'webhook.delivered' : due_at ? 'webhook.waiting' : 'webhook.failed')
  return (
    <section className="card" aria-label={t('webhook.title')}>
      <h2>{t('webhook.title')}</h2>
      {sent.error && <Alert text={sent.error.message} />}
      {sent.data?.data.length === 0 && <p className="card-hint">{t('table.empty')}</p>}
      <ul className="api-rows api-deliveries">
        {sent.data?.data.map((event) => (
          <li key={event.id}>
            <div className="api-row-text">
              <code>{event.kind}</code>
              <span className="api-row-more">
                {showMoment(event.created_at)} · {t('webhook.tries', { n: event.tries })}
                {event.last_answer && ` · ${event.last_answer}`}
              </span>
            </div>
            <span className="api-state" data-state={event.delivered_at ? 'done' : event.due_at ? 'waits' : 'failed'}>
              {stateOf(event)}
            </span>
          </li>
        ))}
      </ul>
      <Button onClick={() => void sent.refetch()}>{t('webhook.refresh')}</Button>
    </section>
  )
}
