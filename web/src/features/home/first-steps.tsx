import type { Answer } from '@tallyroom/contract'
import type { WordKey } from '@tallyroom/locales'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { notify } from '../../ui/overlay/message.tsx'
import { copyShareLink, type Sharer, shareLink, siteForOthers } from '../../domain/share-link.ts'
import type { FoundSteps } from './use-first-steps.ts'
import { ZoneStep } from './zone-step.tsx'
import './first-steps.css'

const Qr = lazyPart(async () => (await import('../../ui/qr.tsx')).Qr)
const AddDialog = lazyPart(async () => (await import('../account/add-dialog.tsx')).AddDialog)

type Own = Answer<'user/view'>
type Step = Answer<'home/steps'>['steps'][number]['step']

type Props = FoundSteps & { own: Own }

/** FIRST-01: what to do first. The server decides what is done. */
export const FirstSteps = ({ own, steps, openZone, sharer, site, backupCommand }: Props) => {
  const { t } = useWords()
  const putAway = useSend('home/putAway', { refreshes: ['home/steps'] })
  const [adding, setAdding] = useState<'agent' | 'customer_service'>()
  const done = steps.filter((step) => step.done).length
  const next = steps.find((step) => !step.done)?.step
  const share: Share = { ...(sharer ?? own), name: sharer?.name, site: siteForOthers(site) }
  const hintOf = (step: Step) =>
    sharer && (step === 'share' || step === 'conversation')
      ? t(`home.step_${step}_below`, { name: sharer.name })
      : t(`home.step_${step}_hint`)
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
              {!step.done && <p>{hintOf(step.step)}</p>}
              {!step.done && step.step === 'backup' && <code>{backupCommand}</code>}
            </div>
            {step.step === 'zone' && openZone !== undefined && <ZoneStep zone={openZone} isDone={step.done} />}
            {!step.done && <Act step={step.step} own={own} share={share} main={step.step === next} onAdd={setAdding} />}
            {!step.done && step.step === 'share' && <ShareCode share={share} />}
          </li>
        ))}
      </ol>
      <Suspense>{adding && <AddDialog kind={adding} onClose={() => setAdding(undefined)} />}</Suspense>
    </section>
  )
}

/** Whose link is shared, with its name if it is not the own one, and the address of the site. */
type Share = Sharer & { name: string | undefined; site: string }

/** For a phone, which has no use for a copied text. */
const ShareCode = ({ share }: { share: Share }) => {
  const { t } = useWords()
  const link = shareLink(share, share.site)
  return (
    <div className="first-steps-link">
      <Suspense>
        <Qr text={link} name={t('share.picture_of', { link })} />
      </Suspense>
      <code>{link}</code>
    </div>
  )
}

type ActProps = {
  step: Step
  own: Own
  share: Share
  main: boolean
  onAdd: (kind: 'agent' | 'customer_service') => void
}

/** What leads to a step being done. Nothing in the product does the steps that are missing here. */
const Act = ({ step, own, share, main, onAdd }: ActProps): ReactNode => {
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
      <Button icon="copy" main={main} onClick={() => void copyShareLink(share, share.site)}>
        {share.name === undefined ? t('share.copy') : t('share.copy_of', { name: share.name })}
      </Button>
    )
  // An agent's conversations are not the admin's.
  if (step === 'conversation' && share.name !== undefined) return null
  if (step === 'conversation')
    return own.customized_has_qrcode_show === 1 ? link('/shareQRCode', 'home.show_qr') : link('/chat', 'home.to_chat')
  if (step === 'factor') return link('/setup/self', 'security.set_up')
  return null
}
