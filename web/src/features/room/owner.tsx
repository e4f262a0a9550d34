import type { RoomSummary } from '@tallyroom/contract/events'
import { Button, Radio } from 'antd'
import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Alert, notify } from '../../ui/message.tsx'
import { useCall, useSend } from '../../use-call.ts'
import { type Say, useWords } from '../../words.ts'
import { ownId } from './filter.ts'

/** Who has a room, in words. */
export const held = (room: RoomSummary, t: Say) => {
  if (room.owner_id === null) return t('desk.free')
  return room.owner_id === ownId() ? t('desk.yours') : t('desk.held', { name: room.owner_name })
}

/** Takes a free room at once; of one that somebody has it asks what is to become of it. */
export const OwnerButton = ({ room }: { room: RoomSummary }) => {
  const { t } = useWords()
  const [open, setOpen] = useState(false)
  const take = useSend('desk/take')
  const free = room.owner_id === null
  const press = () => {
    if (!free) return setOpen(true)
    take.mutate({ code: room.code, from: null }, { onError: (error) => notify.refused(error.message) })
  }
  return (
    <>
      <button
        type="button"
        className="room-owner"
        data-own={room.owner_id === ownId() || undefined}
        data-tip={held(room, t)}
        disabled={take.isPending}
        onClick={press}
      >
        <Icon name="user" size={16} />
        <bdi>{free ? t('desk.take') : room.owner_id === ownId() ? t('desk.mine') : room.owner_name}</bdi>
        <span className="heard">{held(room, t)}</span>
      </button>
      {open && !free && <OwnerDialog room={room} onClose={() => setOpen(false)} />}
    </>
  )
}

const OwnerDialog = ({ room, onClose }: { room: RoomSummary; onClose: () => void }) => {
  const { t } = useWords()
  const colleagues = useCall('desk/colleagues', {})
  const [to, setTo] = useState<number>()
  const take = useSend('desk/take')
  const handOver = useSend('desk/handOver')
  const release = useSend('desk/release')
  const mine = room.owner_id === ownId()
  const [owner] = useState(room.owner_id)
  const error = take.error ?? handOver.error ?? release.error
  const isPending = take.isPending || handOver.isPending || release.isPending
  const done = { onSuccess: onClose }
  const others = (colleagues.data?.data ?? []).filter(({ id }) => id !== room.owner_id)
  // The server says who may: those who have it, and the head of the group.
  const give = mine || colleagues.data?.data.some(({ id, role_id }) => id === ownId() && role_id < 3)
  return (
    <Dialog
      title={held(room, t)}
      onClose={onClose}
      onSubmit={() => to && handOver.mutate({ code: room.code, to }, done)}
      buttons={
        <>
          {give && (
            <Button disabled={isPending} onClick={() => release.mutate({ code: room.code }, done)}>
              {t('desk.release')}
            </Button>
          )}
          {!mine && (
            <Button
              type={give ? 'default' : 'primary'}
              disabled={isPending}
              onClick={() => take.mutate({ code: room.code, from: owner }, done)}
            >
              {t('desk.take_over')}
            </Button>
          )}
          {give && (
            <Button type="primary" htmlType="submit" disabled={!to || isPending}>
              {t('desk.hand_over')}
            </Button>
          )}
        </>
      }
    >
      {error && <Alert text={error.message} />}
      {!mine && <p>{t('desk.others_whisper', { name: room.owner_name })}</p>}
      {colleagues.isError && <Alert text={colleagues.error.message} />}
      {give && (
        <fieldset className="room-colleagues">
          <legend>{t('desk.hand_to')}</legend>
          {colleagues.isPending && <p role="status">{t('chat.loading')}</p>}
          {colleagues.data && others.length === 0 && <p className="c-note">{t('desk.no_colleagues')}</p>}
          <Radio.Group
            value={to}
            onChange={(event) => setTo(event.target.value as number)}
            options={others.map(({ id, nickname, username }) => ({
              value: id,
              label: nickname ? `${nickname} (${username})` : username,
            }))}
          />
        </fieldset>
      )}
    </Dialog>
  )
}
