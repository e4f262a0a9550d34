import { RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { setStored, getStored } from '../../../lib/storage.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useModal } from '../../../ui/overlay/modal.ts'
import { useMedia } from '../../../ui/use-media.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { AccountLink } from '../../../domain/account-link.tsx'
import { FrozenMark } from '../desk/frozen.tsx'
import { commandTip, useCommand } from '../state/commands.ts'
import './panel.css'

const PanelFacts = lazy(async () => ({ default: (await import('./panel-facts.tsx')).PanelFacts }))

/** From this width on the panel is a third column; below it a sheet over the conversation. */
const WIDE = '(min-width: 1200px)'
const KEPT = 'member_panel'

/** The member panel and its button in the room's header. An agent's room has none. */
export const useMemberPanel = (room: RoomSummary | undefined): { button: ReactNode; panel: ReactNode } => {
  const { t } = useWords()
  const wide = useMedia(WIDE)
  const [beside, setBeside] = useState(() => getStored(KEPT) !== '0')
  const [over, setOver] = useState(false)
  /** The panel opens for a note: its field takes the focus. */
  const [isNoting, setNoting] = useState(false)
  const isMember = room?.type === RoomType.member
  const addNote = () => {
    setBeside(true)
    if (!wide) setOver(true)
    setNoting(true)
  }
  useCommand('memberNote', isMember ? addNote : undefined)
  const onNoting = useCallback(() => setNoting(false), [])
  if (room?.type !== RoomType.member) return { button: null, panel: null }
  const toggle = () => {
    setStored(KEPT, beside ? '0' : '1')
    setBeside(!beside)
  }
  const word = t(wide && beside ? 'panel.hide' : 'panel.show')
  const button = (
    <button
      type="button"
      className="c-round"
      data-key="panel"
      aria-label={word}
      {...commandTip('panel', word)}
      onClick={wide ? toggle : () => setOver(true)}
    >
      <Icon name="user" />
    </button>
  )
  const facts = <Facts room={room} isNoting={isNoting} onNoting={onNoting} />
  if (wide) return { button, panel: beside && <Beside room={room}>{facts}</Beside> }
  return {
    button,
    panel: over && (
      <Sheet room={room} onClose={() => setOver(false)}>
        {facts}
      </Sheet>
    ),
  }
}

/** Whom the panel is about. */
const Who = ({ room }: { room: RoomSummary }) => (
  <div className="panel-who">
    <AccountLink who={{ id: room.member_id, username: room.partner_username }}>
      <h2>
        <bdi>{room.name}</bdi>
      </h2>
      <bdi className="panel-username">({room.partner_username})</bdi>
    </AccountLink>
    <FrozenMark room={room} />
  </div>
)

type FrameProps = { room: RoomSummary; children: ReactNode }

const Beside = ({ room, children }: FrameProps) => {
  const { t } = useWords()
  return (
    <aside className="panel" aria-label={t('panel.title')}>
      <Who room={room} />
      {children}
    </aside>
  )
}

/** A native dialog traps the focus and restores it when it closes. */
const Sheet = ({ room, children, onClose }: FrameProps & { onClose: () => void }) => {
  const { t } = useWords()
  const dialog = useModal()
  // The focus is restored by close(), so close the dialog before it is removed.
  const close = () => dialog.current?.close()
  return (
    <dialog
      ref={dialog}
      className="panel panel-sheet"
      aria-label={t('panel.title')}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <header>
        <Who room={room} />
        <button type="button" className="c-round" aria-label={t('action.close')} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  )
}

type FactsProps = { room: RoomSummary; isNoting: boolean; onNoting: () => void }

const Facts = (props: FactsProps) => {
  const { t } = useWords()
  return (
    <Suspense fallback={<p role="status">{t('table.loading')}</p>}>
      <PanelFacts {...props} />
    </Suspense>
  )
}
