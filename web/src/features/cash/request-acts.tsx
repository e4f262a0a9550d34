import { isOpenCash } from '@tallyroom/contract/cash'
import type { CashCard } from '@tallyroom/contract/events'
import { Suspense } from 'react'
import { errorText } from '../../api/error-text.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { lazyPart, usePreload } from '../../ui/page/lazy-part.tsx'
import { inNextFrame } from '../../lib/schedule.ts'
import { MaybePaid } from './maybe-paid.tsx'
import { leaveToHome } from '../../ui/keyboard/keep-focus.ts'
import { notify } from '../../ui/overlay/message.tsx'
import { useOpened } from '../../ui/use-opened.ts'

const CashRequestDrawer = lazyPart(async () => (await import('./request-drawer.tsx')).CashRequestDrawer)

/** Attributes of a button that a key presses. */
type Shortcut = { 'data-key': string; 'data-tip': string; 'aria-keyshortcuts': string }

/** In the card of an open request: takes it and opens it, where it is paid or refused. */
export const CashRequestActs = ({ cash, shortcut }: { cash: CashCard; shortcut?: Shortcut }) => {
  const { t } = useWords()
  const own = useCall('user/view', {})
  const take = useSend('cash/take', { refreshes: ['cash/list', 'cash/open'] })
  const { opened, open, close } = useOpened('request')
  const show = () => open(cash.id)
  usePreload(CashRequestDrawer.preload, isOpenCash(cash.state))
  // The drawer was opened to pay or refuse: after that the focus belongs to the member's answer.
  const closeToBox = () => {
    close()
    inNextFrame(() => leaveToHome(document.querySelector('.room-window')))
  }
  const isMine = cash.taken_by !== null && cash.taken_by === own.data?.id
  const press = () => {
    if (cash.state !== 'asked') return show()
    take.mutate(
      { id: cash.id },
      {
        onSuccess: show,
        onError: (error) => notify.refused(errorText(error)),
      },
    )
  }
  return (
    <>
      {cash.maybe_paid && <MaybePaid of={cash.maybe_paid} className="c-refused" />}
      {isOpenCash(cash.state) && (
        <div className="c-answers">
          <button
            type="button"
            className={`button ${cash.state === 'asked' || isMine ? 'button-main' : ''}`}
            disabled={take.isPending}
            {...shortcut}
            onClick={press}
          >
            {t(cash.state === 'asked' ? 'cash.take' : 'cash.open')}
          </button>
        </div>
      )}
      <Suspense>
        {opened === String(cash.id) && <CashRequestDrawer id={cash.id} inRoom onClose={closeToBox} />}
      </Suspense>
    </>
  )
}
