import type { Answer } from '@tallyroom/contract'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { useLostSince } from '../../../api/connection.ts'
import { rooms } from '../../../chat/model/chat-session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { leaveToHome } from '../../../ui/keyboard/keep-focus.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { refresh, useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { onceIdle } from '../../../lib/schedule.ts'
import { commandTip } from '../state/commands.ts'
import { useWantedAct } from '../state/wanted-act.ts'
import { PointsOpening } from '../../points/points-opening.tsx'

const PointsDialog = lazyPart(async () => (await import('../../points/points-dialog.tsx')).PointsDialog)

/** How long after opening a room the lock shows, and after opening the dialog the check is made (ENV-05). */
const LOCK_AFTER = 1200

type Props = { room: Pick<RoomSummary, 'member_id' | 'code'>; own: Answer<'user/view'> }

/** Opens the points dialog of this room; in event mode a lock replaces it. */
export const PointsButton = ({ room, own }: Props) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const member = useCall('member/view', { member_id: room.member_id })
  const [open, setOpen] = useState(false)
  const [amount, setAmount] = useState('')
  const [typed, setTyped] = useState('')
  const isLost = useLostSince() !== undefined
  const [settled, setSettled] = useState(false)
  const isLoaded = member.data !== undefined
  useEffect(() => {
    // With the room: a script that the first Alt+P has to wait for leaves the user typing into nothing. Not while the
    // user scrolls: two seconds after the room opened it took 200 ms from a slow processor.
    if (isLoaded) onceIdle(PointsDialog.preload)
  }, [isLoaded])
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), LOCK_AFTER)
    return () => clearTimeout(timer)
  }, [])

  const mayOpen = own.red_envelope_button_visible === 1 && member.data && member.data.offers.length > 0 && !isLost
  const openWith = (wanted: string) => {
    // The room's data may be hours old: load consent, wallets and kinds again.
    void refresh(cache, ['member/view', 'user/view'])
    // When the dialog closes the focus returns to what had it: what is typed next belongs to the member.
    leaveToHome(document.querySelector('.room-window'))
    setAmount(wanted)
    setTyped('')
    setOpen(true)
  }
  useWantedAct(room.code, 'points', mayOpen ? openWith : undefined)

  const isAllowed = own.red_envelope_button_visible === 1 && member.data?.offers.length !== 0
  // A right that is taken while the dialog is open must not close it: what is typed next, and Enter, would go to the
  // member as a message. The server refuses what is sent, and the dialog says so.
  const [shown, setShown] = useState(member.data)
  if (isAllowed && shown !== member.data) setShown(member.data)

  if (!isAllowed && !open) return null
  if (settled && member.data?.event_mode === 1 && !open) {
    return (
      <span className="room-lock" role="img" aria-label={t('transfer.event_mode')} data-tip={t('transfer.event_mode')}>
        <Icon name="lock" />
      </span>
    )
  }
  const close = () => setOpen(false)
  const type = (key: string) => setTyped((text) => (key === 'Backspace' ? text.slice(0, -1) : text + key))
  const opening = <PointsOpening refused={member.error?.message} onType={type} onClose={close} />
  return (
    <>
      <button
        type="button"
        className="button button-outline c-points"
        data-key="points"
        aria-label={t('room.points')}
        {...(isLost ? { 'data-tip': t('connection.points') } : commandTip('points', t('room.points')))}
        disabled={isLost}
        onClick={() => openWith('')}
      >
        <Icon name="points" />
        <span aria-hidden="true">{t('room.points_word')}</span>
      </button>
      {open && (
        <Suspense fallback={opening}>
          {shown ? (
            <PointsDialog
              room={room}
              own={own}
              member={shown}
              amount={amount}
              typed={typed}
              onMoved={() => void rooms.sync(room.code)}
              onClose={close}
            />
          ) : (
            opening
          )}
        </Suspense>
      )}
    </>
  )
}
