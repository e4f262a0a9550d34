import { useLoads, useOwnState } from '../../../chat/view/colleagues.ts'
import { StateDot, useStateWords } from '../../../chat/view/state-dot.tsx'
import { StateItems, useSetState } from '../../../chat/view/state-items.tsx'
import { useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { Avatar, nameOf } from '../../../ui/person.tsx'
import { useCommand } from '../state/commands.ts'

/** DESK-01: the own picture with what one is and how many conversations one has in progress, and the menu that changes it. */
export const OwnState = () => {
  const { t } = useWords()
  const { data: account } = useCall('user/view', {})
  const own = useOwnState()
  const loadOf = useLoads()
  const words = useStateWords()
  const set = useSetState()
  useCommand('state', own && (() => set(own.state === 'on' ? 'away' : 'on')))
  const avatar = <Avatar src={account?.thumbnail ?? ''} name={account ? nameOf(account) : ''} size={36} />
  if (!own) return avatar
  const load = loadOf(own.id)
  return (
    <Menu
      name={`${words(own)}. ${t('desk.load_count', { n: load })}`}
      button={{
        className: 'room-own-state',
        content: (
          <>
            {avatar}
            <StateDot state={own.state} />
            {load > 0 && <span className="points room-own-load">{load}</span>}
          </>
        ),
      }}
    >
      <StateItems own={own} />
    </Menu>
  )
}
