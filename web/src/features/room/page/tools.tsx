import { useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { isMasked } from '../../../ui/masked.ts'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { useBotTool } from '../desk/bot.tsx'
import { useHide } from '../list/hide.ts'
import { useMemberTools } from './member-tools.tsx'
import type { Tool } from './tool.ts'
import { RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { Link, linkOptions, useNavigate } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'

/** The actions on a room, and their dialogs. */
export const useTools = (room: RoomSummary): { tools: Tool[]; dialogs: ReactNode } => {
  const settle = useSettle(room)
  const unread = useUnread(room)
  const hide = useHide(room)
  const bot = useBotTool(room)
  const links = useLinks(room)
  const { tools, dialogs } = useMemberTools(room)
  return { tools: [...settle, ...unread, ...links, ...tools, ...bot, ...hide], dialogs }
}

const refused = { onError: (error: Error) => notify.refused(error.message) }

/** Marks that the member's last message needs no answer. */
const useSettle = (room: RoomSummary): Tool[] => {
  const { t } = useWords()
  const settle = useSend('desk/settle')
  if (!room.waiting_since) return []
  const press = () => settle.mutate({ code: room.code }, refused)
  return [{ icon: 'check', word: t('desk.settle'), busy: settle.isPending, press }]
}

/** Leaves the room and marks it, so that it is found again. */
const useUnread = (room: RoomSummary): Tool[] => {
  const { t } = useWords()
  const navigate = useNavigate()
  const mark = useSend('desk/markUnread')
  if (room.type === RoomType.upline) return []
  const press = () => {
    void navigate({ to: '/chat/messaging' }).then(() => mark.mutate({ code: room.code }, refused))
  }
  return [{ icon: 'star', word: t('chat.mark_unread'), press }]
}

const useLinks = (room: RoomSummary): Tool[] => {
  const { t } = useWords()
  const tools: Tool[] = []
  // In a room with the upline only the other side has a notebook.
  if (room.partner_username)
    tools.push({
      icon: 'notebook',
      word: t('note.new_tab'),
      link: {
        ...linkOptions({
          to: '/chat/noteTitle/$room_id/$member_id',
          params: { room_id: String(room.room_id), member_id: String(room.member_id) },
        }),
        target: '_blank',
      },
    })
  if (!isMasked(room.partner_username))
    tools.push({
      icon: 'history',
      word: t('room.history'),
      link: linkOptions({ to: '/transaction/list/{-$username}', params: { username: room.partner_username } }),
    })
  return tools
}

export const ToolButtons = ({ tools }: { tools: readonly Tool[] }) =>
  tools.map(({ icon, word, busy, key, ...action }) => {
    const props = { className: 'c-round', 'aria-label': word, 'data-tip': word }
    return action.link ? (
      <Link key={word} {...action.link} rel="noopener" {...props}>
        <Icon name={icon} />
      </Link>
    ) : (
      <button key={word} type="button" {...props} data-key={key} disabled={busy} onClick={action.press}>
        <Icon name={icon} />
      </button>
    )
  })

export const ToolMenu = ({ tools }: { tools: readonly Tool[] }) => {
  const { t } = useWords()
  const props = { className: 'menu-item', role: 'menuitem', tabIndex: -1 }
  return (
    <Menu name={t('room.more')}>
      {tools.map(({ icon, word, busy, key, ...action }) => {
        const inside = (
          <Fragment>
            <Icon name={icon} />
            {word}
          </Fragment>
        )
        return action.link ? (
          <Link key={word} {...action.link} rel="noopener" {...props}>
            {inside}
          </Link>
        ) : (
          <button key={word} type="button" {...props} data-key={key} disabled={busy} onClick={action.press}>
            {inside}
          </button>
        )
      })}
    </Menu>
  )
}
