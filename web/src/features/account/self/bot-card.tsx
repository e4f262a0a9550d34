import { useId } from 'react'
import { Switch } from '../../../ui/control/switch.tsx'
import { Alert, notify } from '../../../ui/overlay/message.tsx'
import { useCall, useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'

/** Shown if the group may have a bot: whether the bot answers new members first, and where it gets its answers. */
export const BotCard = () => {
  const { t } = useWords()
  const id = useId()
  const view = useCall('ai/view', {})
  const save = useSend('ai/save', { refreshes: ['ai/view'] })
  const bot = view.data
  if (bot?.allowed !== 1) return null
  const setReplies = (on: boolean) =>
    save.mutate({ ai_rooms: on ? 1 : 0 }, { onSuccess: () => notify.done(t('done.saved')) })
  return (
    <section className="card">
      <h2>{t('ai.title')}</h2>
      <p className="card-hint">{t('ai.hint')}</p>
      {save.error && <Alert text={save.error.message} />}
      <div className="bot-switch">
        <Switch id={id} checked={bot.ai_rooms === 1} disabled={save.isPending} onChange={setReplies} />
        <label htmlFor={id}>{t('ai.new_rooms')}</label>
      </div>
      <p className="bot-sources">
        {t('ai.templates', { n: bot.templates })} {t(bot.endpoint === 1 ? 'ai.endpoint' : 'ai.no_endpoint')}
      </p>
    </section>
  )
}
