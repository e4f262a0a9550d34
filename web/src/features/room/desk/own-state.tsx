import { useEffect } from 'react'
import { useLoads, useOwnState } from '../../../chat/view/colleagues.ts'
import { openEndShift } from '../../../chat/view/end-shift-state.ts'
import { StateDot, useStateWords } from '../../../chat/view/state-dot.tsx'
import { StateItems, useSetState } from '../../../chat/view/state-items.tsx'
import { useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { Avatar, nameOf } from '../../../ui/person.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { useCommand } from '../state/commands.ts'

/** Says once that the server has set this user to away. */
const usePassed = (isPassed: boolean) => {
  const { t } = useWords()
  useEffect(() => {
    if (isPassed) notify.warning(t('desk.passed_you'))
  }, [isPassed, t])
}

/** DESK-01: the own picture with what one is and how many conversations one has in progress, and the menu that changes it. */
export const OwnState = () => {
  const { t } = useWords()
  const { data: account } = useCall('user/view', {})
  const own = useOwnState()
  const loadOf = useLoads()
  const words = useStateWords()
  const set = useSetState()
  usePassed(own?.passed === 1)
  useCommand('state', own && (() => set(own.state === 'on' ? 'away' : 'on')))
  useCommand('endShift', own && openEndShift)
  const avatar = <Avatar src={account?.thumbnail ?? ''} name={account ? nameOf(account) : ''} size={36} />
  if (!own) return avatar
  const load = loadOf(own.id)
  const most = own.capacity
  const said = most === null ? t('desk.load_count', { n: load }) : t('desk.load_of', { n: load, most })
  return (
    <Menu
      name={`${words(own)}. ${said}`}
      button={{
        className: 'room-own-state',
        content: (
          <>
            {avatar}
            <StateDot state={own.state} />
            {(load > 0 || most !== null) && (
              <span className="points room-own-load">{most === null ? load : `${load}/${most}`}</span>
            )}
          </>
        ),
      }}
    >
      <StateItems own={own} />
    </Menu>
  )
}
