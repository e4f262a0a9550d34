import { useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { leaveToHome } from '../../../ui/keep-focus.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { ownId } from '../list/filter.ts'
import { ownerTitle } from './owner-title.ts'
import type { RoomSummary } from '@tallyroom/contract/events'
import { Suspense, useRef, useState } from 'react'

const OwnerDialog = lazyPart(async () => (await import('./owner-dialog.tsx')).OwnerDialog)

/** Takes a free room at once; for a room with an owner it opens the dialog. */
export const OwnerButton = ({ room }: { room: RoomSummary }) => {
  const { t } = useWords()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const take = useSend('desk/take')
  const free = room.owner_id === null
  const press = () => {
    if (!free) return setOpen(true)
    take.mutate(
      { code: room.code, from: null },
      { onSuccess: () => leaveToHome(button.current), onError: (error) => notify.refused(error.message) },
    )
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className="room-owner"
        data-own={room.owner_id === ownId() || undefined}
        data-tip={ownerTitle(room, t)}
        disabled={take.isPending}
        onPointerEnter={free ? undefined : OwnerDialog.preload}
        onFocus={free ? undefined : OwnerDialog.preload}
        onClick={press}
      >
        <Icon name="user" size={16} />
        <bdi>{free ? t('desk.take') : room.owner_id === ownId() ? t('desk.mine') : room.owner_name}</bdi>
        <span className="visually-hidden">{ownerTitle(room, t)}</span>
      </button>
      <Suspense>{open && !free && <OwnerDialog room={room} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
