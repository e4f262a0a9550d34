import type { Answer } from '@tallyroom/contract'
import { showPoints } from '@tallyroom/contract/points'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect } from 'react'
import { useOpenApprovals } from '../../chat/view/cards/use-open-approvals.ts'
import { useOpenCashRequests } from '../../chat/view/cards/use-open-requests.ts'
import { throttle } from '../../lib/throttle.ts'
import { onEvent } from '../../api/live.ts'
import { Amount } from '../../ui/amount.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { refresh, useCall } from '../../api/use-call.ts'
import { useMenu } from '../../api/use-menu.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Days } from '../../domain/days/days.tsx'
import { Decision, LowestBalances, Part, SignIns, WaitingRooms } from './lists.tsx'
import { Team } from './team.tsx'
import { useFirstSteps } from './use-first-steps.ts'
import './home.css'

// Most offices have done or put away all of them.
const FirstSteps = lazyPart(async () => (await import('./first-steps.tsx')).FirstSteps)

/** Refreshes the numbers after events about rooms and wallets. */
const useLiveRefresh = () => {
  const cache = useQueryClient()
  useEffect(() => {
    const { soon, stop } = throttle(() => void refresh(cache, ['home/view', 'home/steps']))
    const stops = [stop, onEvent('account', soon), onEvent('room', soon)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [cache])
}

/** HOME-01: who waits first, then what this user decides, then the figures. */
export const HomePage = () => {
  const { t } = useWords()
  const { data: own } = useCall('user/view', {}, { meta: { optional: true } })
  const { pages, has } = useMenu()
  const home = useCall('home/view', {})
  const found = useFirstSteps(has('/customer_service'))
  useLiveRefresh()
  // The waiting members come first once there is a conversation; what is left of the steps stays below.
  const isNew = found.steps.some(({ step, done }) => step === 'conversation' && !done)
  const firstSteps = own && found.steps.length > 0 && (
    <Suspense>
      <FirstSteps own={own} {...found} />
    </Suspense>
  )
  const name = own?.nickname || own?.username
  return (
    <div className="home">
      <header className="home-head">
        <h2>{name ? t('home.hello', { name }) : '\u00a0'}</h2>
        {isNew && <p>{t('home.steps_lead')}</p>}
      </header>
      {home.error && <Alert text={home.error.message} />}
      {home.data?.endpoint_off && (
        <Link className="home-warning" to="/setup/system">
          {t('endpoint.off_home')}
        </Link>
      )}
      {isNew && firstSteps}
      <div className="home-grid">
        {has('/chat') && <WaitingRooms />}
        <Decisions
          open={home.data?.open}
          mayPay={has('/cash')}
          mayApprove={has('/approvals')}
          // Its row keeps the place of this card while the menu is on its way.
          mayRead={!pages || has('/transaction/list')}
        />
        {has('/report/sr02') && home.data && (
          <Days days={home.data.days} words={[t('history.in'), t('history.out')]}>
            <Today today={home.data.days.at(-1)} />
          </Days>
        )}
        {home.data && (has('/agent') || has('/chat')) && (
          <div className="home-side">
            {has('/chat') && <Team mayPay={has('/cash')} />}
            {has('/agent') && home.data.low.length > 0 && <LowestBalances rows={home.data.low} />}
            {has('/agent') && has('/customer_service') && <SignIns rows={home.data.sign_ins} />}
          </div>
        )}
      </div>
      {!isNew && firstSteps}
    </div>
  )
}

type DecisionsProps = {
  open: Answer<'home/view'>['open'] | undefined
  mayPay: boolean
  mayApprove: boolean
  mayRead: boolean
}

/** What only this user can decide. */
const Decisions = ({ open, mayPay, mayApprove, mayRead }: DecisionsProps) => {
  const { t } = useWords()
  const cashRequests = useOpenCashRequests(mayPay)
  const approvals = useOpenApprovals(mayApprove)
  if (!mayPay && approvals === 0 && !mayRead) return null
  return (
    <Part id="home-decide" title={t('home.decide')} emptyText="">
      {[
        ...(mayPay ? [<Decision key="cash" to="/cash" n={cashRequests} label={t('menu.requests')} />] : []),
        // Not with 0: most of those who may open the page approve nothing themselves.
        ...(approvals > 0
          ? [<Decision key="approvals" to="/approvals" n={approvals} label={t('menu.approvals')} />]
          : []),
        ...(mayRead
          ? [
              <Decision
                key="open"
                to="/transaction/list/{-$username}"
                search={{ type: 2 }}
                n={open ? open.offers + open.requests : undefined}
                label={t('home.open_envelopes')}
                {...(open ? { more: t('home.held_asked', { held: shown(open.held), asked: shown(open.asked) }) } : {})}
              />,
            ]
          : []),
      ]}
    </Part>
  )
}
const shown = (points: string) => showPoints(pointsOf(points))

const Today = ({ today }: { today: Answer<'home/view'>['days'][number] | undefined }) => {
  const { t } = useWords()
  return (
    <div className="home-sums">
      <Sum label={t('home.in_today')}>{today && <Amount value={today.total_in} way="in" />}</Sum>
      <Sum label={t('home.out_today')}>{today && <Amount value={today.total_out} way="out" />}</Sum>
    </div>
  )
}

const Sum = ({ label, children }: { label: string; children: ReactNode }) => (
  <Link to="/report/sr02">
    <span className="home-sum-label">{label}</span> <span className="home-sum-number">{children}</span>
  </Link>
)
