import type { Answer } from '@tallyroom/contract'
import type { WordKey } from '@tallyroom/locales'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { notify } from '../../ui/overlay/message.tsx'
import { copyShareLink } from '../../domain/share-link.ts'
import { ZoneStep } from './zone-step.tsx'
import './first-steps.css'

const AddDialog = lazyPart(async () => (await import('../account/add-dialog.tsx')).AddDialog)

type Own = Answer<'user/view'>
type Steps = Answer<'home/steps'>['steps']
type Step = Steps[number]['step']

/** The steps that are shown: none once all are done or put away. */
export const useFirstSteps = (enabled: boolean): { steps: Steps; openZone: string | undefined } => {
  const { data } = useCall('home/steps', {}, { enabled, meta: { optional: true } })
  const isDone = data?.steps.every(({ done }) => done) ?? true
  return { steps: isDone ? [] : (data?.steps ?? []), openZone: data?.open_zone }
}

type Props = { own: Own; steps: Steps; openZone: string | undefined }

/** FIRST-01: what to do first. The server decides what is done. */
export const FirstSteps = ({ own, steps, openZone }: Props) => {
  const { t } = useWords()
  const putAway = useSend('home/putAway', { refreshes: ['home/steps'] })
  const [adding, setAdding] = useState<'agent' | 'customer_service'>()
  const done = steps.filter((step) => step.done).length
  const next = steps.find((step) => !step.done)?.step
  const hide = () =>
    putAway.mutate(
      { put_away: true },
      {
        onSuccess: () =>
          notify.done(t('home.steps_put_away'), {
            label: t('action.undo'),
            run: () => putAway.mutate({ put_away: false }),
          }),
        onError: (error) => notify.refused(error.message),
      },
    )
  return (
    <section className="card home-part first-steps" aria-labelledby="first-steps">
      <header>
        <h2 id="first-steps">
          {t('home.steps')} <span className="points">{t('home.steps_done', { done, all: steps.length })}</span>
        </h2>
        <button type="button" className="first-steps-hide" onClick={hide}>
          {t('home.put_away')}
        </button>
      </header>
      <progress max={steps.length} value={done} aria-hidden="true" />
      <ol>
        {steps.map((step) => (
          <li key={step.step} data-done={step.done}>
            <span className="first-steps-tick">{step.done && <Icon name="check" size={14} />}</span>
            <div>
              <b>{t(`home.step_${step.step}`)}</b>
              {step.done && <span className="visually-hidden">{t('home.step_done')}</span>}
              {!step.done && <p>{t(`home.step_${step.step}_hint`)}</p>}
              {!step.done && step.step === 'backup' && <code>npm run backup -- DIR</code>}
            </div>
            {step.step === 'zone' && openZone !== undefined && <ZoneStep zone={openZone} isDone={step.done} />}
            {!step.done && <Act step={step.step} own={own} main={step.step === next} onAdd={setAdding} />}
          </li>
        ))}
      </ol>
      <Suspense>{adding && <AddDialog kind={adding} onClose={() => setAdding(undefined)} />}</Suspense>
    </section>
  )
}

type ActProps = { step: Step; own: Own; main: boolean; onAdd: (kind: 'agent' | 'customer_service') => void }

/** What leads to a step being done. Nothing in the product does the steps that are missing here. */
const Act = ({ step, own, main, onAdd }: ActProps): ReactNode => {
  const { t } = useWords()
  const link = (to: string, word: WordKey) => (
    <Link to={to} className={`button ${main ? 'button-main' : ''}`}>
      {t(word)}
    </Link>
  )
  if (step === 'agent')
    return (
      <Button icon="plus" main={main} onClick={() => onAdd('agent')}>
        {t('account.add_agent')}
      </Button>
    )
  if (step === 'service')
    return (
      <Button icon="plus" main={main} onClick={() => onAdd('customer_service')}>
        {t('account.add_customer_service')}
      </Button>
    )
  if (step === 'points') return link('/agent', 'home.give_points')
  if (step === 'share')
    return (
      <Button icon="copy" main={main} onClick={() => void copyShareLink(own)}>
        {t('share.copy')}
      </Button>
    )
  if (step === 'conversation')
    return own.customized_has_qrcode_show === 1 ? link('/shareQRCode', 'home.show_qr') : link('/chat', 'home.to_chat')
  if (step === 'factor') return link('/setup/self', 'security.set_up')
  return null
}
