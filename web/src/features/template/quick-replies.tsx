import { RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { call, newRequestId } from '../../api/call.ts'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { type ComposerHandle, withSpaces } from '../../chat/view/composer/composer-plugin.ts'
import { Icon } from '../../ui/icon.tsx'
import { notify } from '../../ui/overlay/message.tsx'
import { refresh, useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { fill, slashAt, type Values } from './fill.ts'
import { fuzzyFind } from '../../lib/fuzzy-find.ts'
import { type Marked, pickKeys, useActiveOption, useMarked } from '../../chat/view/pick/pick.ts'
import { Replies, type Reply } from './replies.tsx'
import { useAttachedPhotos } from './use-attached-photos.ts'
import { useOpenReplies } from './use-open-replies.ts'
import './quick.css'

/**
 * Quick replies of the composer: a button opens all, `/` at the start of a word opens those that match. Choosing one only
 * writes it into the text box, where it can be changed or undone; nothing is sent.
 */
export const QuickReplies = ({ composer, room }: { composer: ComposerHandle; room: RoomSummary }) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const id = useId()
  const list = useCall('message-template/list', {}, { staleTime: 60_000, meta: { optional: true } })
  const member = useCall(
    'member/view',
    { member_id: room.member_id },
    { enabled: room.type === RoomType.member, meta: { optional: true } },
  )
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const marked = useState<Marked>()
  const [closedAt, setClosedAt] = useState<number>()
  const { photos, add, remove, send } = useAttachedPhotos(room.code)

  const slash = slashAt(composer.text, composer.caret)
  const bySlash = !open && slash !== undefined && slash.from !== closedAt
  const shown = open || bySlash
  const wanted = open ? typed : (slash?.typed ?? '')
  const replies = useOpenReplies(list, shown, marked[0]?.id)
  const found = shown ? fuzzyFind(replies, wanted) : []
  const { current, mark } = useMarked(found, wanted, marked)
  // A slash that was closed stays closed as long as it is being written.
  const slashFrom = slash?.from
  useEffect(() => {
    if (slashFrom === undefined) setClosedAt(undefined)
  }, [slashFrom])

  const values: Values = {
    nickname: room.name,
    username: room.partner_username,
    balance: member.data && exactAmount(member.data.balance),
  }
  const close = () => {
    if (bySlash) setClosedAt(slash.from)
    if (!open) return
    setOpen(false)
    setTyped('')
    composer.box.current?.focus()
  }
  const choose = (reply: Reply) => {
    const { text, missing } = fill(reply.content, values)
    const [from, to] = bySlash ? [slash.from, composer.caret] : [composer.caret, composer.caret]
    composer.write(from, to, withSpaces(text, composer.text.slice(0, from), composer.text.slice(to)))
    if (missing) notify.refused(t('template.no_balance'))
    if (reply.image) add(reply.image)
    close()
    // Only affects the next order, so a failure does no harm.
    const used = call('message-template/use', { targetID: reply.id, request_id: newRequestId() })
    used.then(() => refresh(cache, ['message-template/list'])).catch(() => {})
  }

  const onKey = (event: KeyboardEvent): boolean => {
    if (!shown || event.ctrlKey || event.altKey || event.metaKey) return false
    return pickKeys(event, { found, current, mark, choose, close, takesTab: bySlash })
  }
  useEffect(() => {
    // While the search field is open, Enter in the text box still sends the text.
    composer.keys.current = (event) => (bySlash || event.key === 'Escape') && onKey(event)
    composer.sent.current = send
  })
  useActiveOption(composer.box, id, bySlash && found.length > 0 ? `${id}-${current}` : undefined)

  return (
    <>
      <button
        type="button"
        className="c-round"
        aria-label={t('template.quick_replies')}
        aria-expanded={open}
        data-tip={t('template.quick_replies')}
        onClick={() => (open ? close() : setOpen(true))}
      >
        <Icon name="bolt" />
        <span className="c-add-word">{t('template.quick_replies')}</span>
      </button>
      {composer.above &&
        createPortal(
          <>
            {shown && (
              <Replies
                id={id}
                replies={found}
                values={values}
                current={current}
                onHighlight={mark}
                onChoose={choose}
                total={list.data?.data.length}
                error={list.error?.message}
                onRetry={() => void list.refetch()}
                typed={wanted}
                onKey={onKey}
                {...(open ? { onType: setTyped, onClose: close } : {})}
              />
            )}
            <AttachedPhotos photos={photos} onRemove={remove} />
          </>,
          composer.above,
        )}
    </>
  )
}

type PhotosProps = { photos: ReturnType<typeof useAttachedPhotos>['photos']; onRemove: (key: number) => void }

/** The pictures of chosen replies, which are sent after the text. */
const AttachedPhotos = ({ photos, onRemove }: PhotosProps) => {
  const { t } = useWords()
  return photos.map(({ key, src }) => (
    <div key={key} className="q-photo">
      <img src={src} alt={t('template.image')} width={48} height={48} />
      <span>{t('template.photo_after')}</span>
      <button type="button" className="c-plain" aria-label={t('account.remove_picture')} onClick={() => onRemove(key)}>
        <Icon name="close" size={16} />
      </button>
    </div>
  ))
}
