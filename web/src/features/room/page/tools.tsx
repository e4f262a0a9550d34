import { useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { nameInPath } from '../../../domain/account-link.tsx'
import { isMasked } from '../../../domain/masked.ts'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { notify } from '../../../ui/overlay/message.tsx'
import { useBotTool } from '../desk/bot.tsx'
import { useLater } from '../later/later-tools.tsx'
import { useSnooze } from '../later/snooze.tsx'
import { useHide } from '../list/hide.ts'
import { type CommandId, commands, commandTip, runCommand, useCommand } from '../state/commands.ts'
import { useMemberTools } from './member-tools.tsx'
import type { Tool } from '../state/tool.ts'
import { RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { Link, linkOptions, useNavigate } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'

/** The acts on a room, and their dialogs. "Take" and "Done" are beside them, in words (room-bar.tsx). */
export const useTools = (room: RoomSummary): { tools: Tool[]; dialogs: ReactNode } => {
  const unread = useUnread(room)
  const hide = useHide(room)
  const bot = useBotTool(room)
  const links = useLinks(room)
  const { tools, dialogs } = useMemberTools(room)
  const snooze = useSnooze(room)
  const later = useLater(room)
  const all = [...snooze.tools, ...later.tools, ...unread, ...tools, ...links, ...bot.tools, ...hide]
  return {
    tools: all,
    dialogs: (
      <>
        {all.map(
          ({ command, isOffered, press, busy }) =>
            command && !isOffered && <Offer key={command} id={command} run={busy ? undefined : press} />,
        )}
        {dialogs}
        {bot.dialog}
        {snooze.dialog}
        {later.dialog}
      </>
    ),
  }
}

const Offer = ({ id, run }: { id: CommandId; run: (() => void) | undefined }) => {
  useCommand(id, run)
  return null
}

const refused = { onError: (error: Error) => notify.refused(error.message) }

/** Leaves the room and marks it, so that it is found again. */
const useUnread = (room: RoomSummary): Tool[] => {
  const { t } = useWords()
  const navigate = useNavigate()
  const mark = useSend('desk/markUnread')
  if (room.type === RoomType.upline) return []
  const press = () => {
    const onSuccess = () => notify.said(t('chat.done_unread', { n: 1 }))
    void navigate({ to: '/chat/messaging' }).then(() => mark.mutate({ code: room.code }, { ...refused, onSuccess }))
  }
  return [{ icon: 'mailUnread', word: t('chat.mark_unread'), command: 'unread', press }]
}

const useLinks = (room: RoomSummary): Tool[] => {
  const { t } = useWords()
  const tools: Tool[] = []
  if (room.type === RoomType.member)
    tools.push({
      icon: 'notebook',
      word: t('panel.add_note'),
      command: 'memberNote',
      // Its field is in the member panel, which offers the command.
      isOffered: true,
      press: () => void runCommand('memberNote'),
    })
  const name = nameInPath({ id: room.member_id, username: room.partner_username })
  if (room.type === RoomType.member && name !== undefined)
    tools.push({
      icon: 'user',
      word: t('panel.open_page'),
      link: linkOptions({ to: '/member/$username', params: { username: name } }),
    })
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

/** The icons of the header: unmistakable ones only, each with its name and key. */
export const ToolButtons = ({ tools }: { tools: readonly Tool[] }) =>
  tools.map(({ icon, word, busy, command, press }) => (
    <button
      key={word}
      type="button"
      className="c-round"
      aria-label={word}
      {...(command ? commandTip(command, word) : { 'data-tip': word })}
      disabled={busy}
      onClick={press}
    >
      <Icon name={icon} />
    </button>
  ))

export const ToolMenu = ({ tools }: { tools: readonly Tool[] }) => {
  const { t } = useWords()
  const look = { className: 'menu-item', role: 'menuitem', tabIndex: -1 }
  return (
    <Menu name={t('room.more')}>
      {tools.map(({ icon, word, busy, command, isOffered: _, ...act }) => {
        const inside = (
          <Fragment>
            <Icon name={icon} />
            <span>{word}</span>
            {command && <kbd aria-hidden="true">Alt+{commands[command].key}</kbd>}
          </Fragment>
        )
        return act.link ? (
          <Link key={word} {...act.link} rel="noopener" {...look}>
            {inside}
          </Link>
        ) : (
          <button
            key={word}
            type="button"
            {...look}
            {...(command ? { 'aria-keyshortcuts': commandTip(command, word)['aria-keyshortcuts'] } : {})}
            disabled={busy}
            onClick={act.press}
          >
            {inside}
          </button>
        )
      })}
    </Menu>
  )
}
