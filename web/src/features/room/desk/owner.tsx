import { useOwnState } from '../../../chat/view/colleagues.ts'
import { showDuration } from '../../../chat/view/messages/time.ts'
import { useNow } from '../../../chat/view/use-chat.ts'
import { useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { leaveToHome } from '../../../ui/keyboard/keep-focus.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { Avatar } from '../../../ui/person.tsx'
import { ownId } from '../state/filter.ts'
import { commandTip, useCommand } from '../state/commands.ts'
import { beingSettled } from '../state/neighbour.ts'
import { useGo } from '../state/use-go.ts'
import { useWantedAct } from '../state/wanted-act.ts'
import { ownerTitle } from '../state/owner-title.ts'
import type { RoomSummary } from '@tallyroom/contract/events'
import { Suspense, useRef, useState } from 'react'

const OwnerDialog = lazyPart(async () => (await import('./owner-dialog.tsx')).OwnerDialog)

const refused = { onError: (error: Error) => notify.refused(error.message) }

/** Takes a free room, or takes over a colleague's. */
export const useTake = (room: RoomSummary) => {
  const take = useSend('desk/take')
  const isOwn = room.owner_id === ownId()
  const press = (onSuccess?: () => void) =>
    take.mutate({ code: room.code, from: room.owner_id }, { ...refused, ...(onSuccess ? { onSuccess } : {}) })
  return { press: isOwn ? undefined : press, busy: take.isPending }
}

/** The last minute in which this user can answer, before what the server has assigned goes to a colleague (DESK-03). */
const LAST_MS = 60_000
export const ReturnsIn = ({ room }: { room: RoomSummary }) => {
  const { t } = useWords()
  const own = useOwnState()
  const isMine = room.owner_id === ownId() && room.waiting_since !== null && room.assigned_at !== undefined
  const isCounted = isMine && own !== undefined && own.capacity !== null && own.answer_s > 0
  const now = useNow(isCounted)
  if (!isCounted) return null
  const since = Math.max(Date.parse(room.waiting_since ?? ''), Date.parse(room.assigned_at ?? ''))
  const left = since + own.answer_s * 1000 - now
  if (left > LAST_MS) return null
  return <p className="points room-returns">{t('desk.returns_in', { time: showDuration(Math.max(0, left)) })}</p>
}

/** "Assign to me" while the room is free; then its owner, with the dialog to hand it over or release it. */
export const Owner = ({ room }: { room: RoomSummary }) => {
  const { t } = useWords()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const take = useTake(room)
  const isFree = room.owner_id === null
  const isOwn = room.owner_id === ownId()
  // The dialog is gone once nobody has the room. It must not come back over other work when somebody has it again.
  if (isFree && open) setOpen(false)
  const takeIt = () =>
    take.press?.(() => {
      notify.said(t('desk.yours'))
      leaveToHome(button.current)
    })
  useCommand('take', take.press && !take.busy ? takeIt : undefined)
  useCommand('handOver', isFree ? undefined : () => setOpen(true))
  useWantedAct(room.code, 'handOver', isFree ? undefined : () => setOpen(true))
  if (isFree) {
    return (
      <button
        // One button before and after: another one would lose the focus.
        key="owner"
        ref={button}
        type="button"
        className="button room-owner"
        {...commandTip('take', t('desk.free'))}
        disabled={take.busy}
        onClick={takeIt}
      >
        <Icon name="headset" />
        <span>{t('desk.take')}</span>
      </button>
    )
  }
  return (
    <>
      <button
        key="owner"
        ref={button}
        type="button"
        className="button room-owner"
        data-own={isOwn || undefined}
        {...commandTip('handOver', ownerTitle(room, t))}
        aria-haspopup="dialog"
        onPointerEnter={OwnerDialog.preload}
        onFocus={OwnerDialog.preload}
        onClick={() => setOpen(true)}
      >
        <Avatar src="" name={room.owner_name} size={24} />
        <bdi>{isOwn ? t('desk.mine') : t('desk.answers', { name: room.owner_name })}</bdi>
        <span className="visually-hidden">{ownerTitle(room, t)}</span>
        <Icon name="chevronDown" size={14} />
      </button>
      <Suspense>{open && <OwnerDialog room={room} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

/** Marks that the member's last message needs no answer. */
export const Done = ({ room }: { room: RoomSummary }) => {
  const { t } = useWords()
  const button = useRef<HTMLButtonElement>(null)
  const settle = useSend('desk/settle')
  const go = useGo()
  const isWaiting = room.waiting_since !== null
  const onSuccess = () => {
    notify.said(t('desk.done'))
    leaveToHome(button.current)
  }
  const press = () => settle.mutate({ code: room.code }, { ...refused, onSuccess })
  // The page does not wait for the answer: the next conversation is what the user wants to see.
  const pressAndGo = () => {
    const { code } = room
    beingSettled.add(code)
    settle
      .mutateAsync({ code })
      .catch(refused.onError)
      .finally(() => beingSettled.delete(code))
    if (!go('waiting')) leaveToHome(button.current)
  }
  useCommand('done', isWaiting && !settle.isPending ? press : undefined)
  useCommand('doneNext', isWaiting && !settle.isPending ? pressAndGo : undefined)
  if (!isWaiting) return null
  return (
    <button
      ref={button}
      type="button"
      className="button room-done"
      {...commandTip('done', t('desk.done'))}
      disabled={settle.isPending}
      onClick={press}
    >
      <Icon name="check" size={16} />
      {t('desk.done')}
    </button>
  )
}
