import { Role } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useMemo, useState } from 'react'
import { useRooms } from '../../chat/view/use-chat.ts'
import { matches } from '../../features/room/list/filter.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { fuzzyFind } from '../../lib/fuzzy-find.ts'
import type { IconName } from '../../ui/icon.tsx'
import { isMasked } from '../../ui/masked.ts'
import { roleWords } from '../../ui/person.tsx'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { menuIcon, menuWord } from '../shell/pages.ts'
import { recent } from './recent.ts'

export type Choice = {
  /** The same for the same thing, whatever it is called now. */
  key: string
  kind: 'page' | 'room' | 'account'
  icon: IconName
  title: string
  detail: string
  href: string
}
type Group = { name: string; choices: Choice[] }

const MOST = 6
/** The list page of each role. */
const lists: Record<number, string> = { 2: '/agent', 3: '/customer_service', 4: '/user' }

/** What fits the typed text, in groups; before anything is typed what was chosen last, then all pages. */
export const useChoices = (text: string) => {
  const { t } = useWords()
  const pages = usePages()
  const rooms = useRoomChoices(text)
  const { accounts, looking, error } = useAccounts(text)
  const [before] = useState(recent)
  const groups: Group[] =
    text === ''
      ? [
          { name: t('palette.recent'), choices: useful(before, pages) },
          { name: t('palette.pages'), choices: pages },
        ]
      : [
          { name: t('palette.pages'), choices: found(pages, text).slice(0, MOST) },
          { name: t('chat.rooms'), choices: rooms },
          { name: t('palette.accounts'), choices: accounts },
        ]
  const order = (choice: Choice) => {
    const at = before.findIndex(({ key }) => key === choice.key)
    return at < 0 ? before.length : at
  }
  const shown = groups
    .map((group, at) => ({
      ...group,
      choices:
        text === ''
          ? // A page that was chosen lately stands above already.
            group.choices.filter(({ key }) => at === 0 || !groups[0]?.choices.some((one) => one.key === key))
          : group.choices.toSorted((a, b) => order(a) - order(b)),
    }))
    .filter(({ choices }) => choices.length > 0)
  return { groups: shown, looking, error }
}

/** Pages by the words of today, and none that is no longer in the menu. */
const useful = (before: readonly Choice[], pages: readonly Choice[]) =>
  before.flatMap((choice) => (choice.kind === 'page' ? pages.filter(({ key }) => key === choice.key) : [choice]))

const found = (pages: readonly Choice[], text: string) =>
  fuzzyFind(
    pages.map((page) => ({ ...page, content: '', memo: page.href })),
    text,
  ).map(({ content: _content, memo: _memo, ...page }) => page)

/** Those of one's own menu, and what lies below them. */
const usePages = (): Choice[] => {
  const { t } = useWords()
  const menu = useCall('userMenu/list', {}, { fresh: 5 * 60_000, meta: { aside: true } })
  const own = useCall('user/view', {}, { meta: { aside: true } })
  return useMemo(() => {
    const page = (href: string, title: string, icon: IconName): Choice => ({
      key: `page ${href}`,
      kind: 'page',
      icon,
      title,
      detail: '',
      href,
    })
    const all = (menu.data ?? []).flatMap(({ name, url }) => {
      const entry = page(url, menuWord(t, name), menuIcon(name))
      if (name !== 'chat') return [entry]
      return [
        entry,
        ...(own.data?.chat_ai_bot_visible === 1
          ? [page('/chat/messaging?ai=1', t('chat.messaging_ai'), 'bot' as const)]
          : []),
        page('/chat/hide', t('chat.hidden'), 'hidden'),
        page('/chat/contact', t('contact.title'), 'contacts'),
      ]
    })
    return own.data?.customized_has_qrcode_show === 1 ? [...all, page('/shareQRCode', t('share.title'), 'qr')] : all
  }, [t, menu.data, own.data])
}

const roomChoice = (room: RoomSummary): Choice => ({
  key: `room ${room.code}`,
  kind: 'room',
  icon: 'chat',
  title: room.name,
  detail: room.partner_username,
  href: `/chat/messaging/${room.room_id}/${room.member_id}/${room.code}`,
})

/** Of all talks that are known here, hidden ones and the bot's too. */
const useRoomChoices = (text: string): Choice[] => {
  const [shown, hidden, bots] = [useRooms(1), useRooms(2), useRooms(3)]
  return useMemo(() => {
    if (text === '') return []
    const all = [shown.list, hidden.list, bots.list].flat()
    return all
      .filter((room) => matches(room, text))
      .slice(0, MOST)
      .map(roomChoice)
  }, [text, shown.list, hidden.list, bots.list])
}

type AccountHit = Answer<'search/accounts'>['data'][number]

/** The server searches, once nobody types. */
const useAccounts = (text: string) => {
  const { t } = useWords()
  const menu = useCall('userMenu/list', {}, { fresh: 5 * 60_000, meta: { aside: true } })
  const settled = useSettled(text).slice(0, 64)
  const { data, error, isFetching } = useCall(
    'search/accounts',
    { text: settled || ' ' },
    { enabled: settled !== '', meta: { aside: true } },
  )
  const choice = (account: AccountHit): Choice[] => {
    const list = lists[account.role_id]
    if (!list || !menu.data?.some(({ url }) => url === list)) return []
    const { id, username, nickname } = account
    // A masked name is no name to search for.
    const wanted = !isMasked(username) ? { username } : nickname ? { nickname } : { username: settled }
    return [
      {
        key: `account ${id}`,
        kind: 'account',
        icon: account.role_id === Role.agent ? 'agent' : account.role_id === Role.customerService ? 'headset' : 'user',
        title: nickname || username,
        detail: `${nickname ? `${username} · ` : ''}${t(roleWords[account.role_id] ?? 'role.member')}`,
        href: `${list}?${new URLSearchParams(wanted).toString()}`,
      },
    ]
  }
  return {
    accounts: settled === '' ? [] : (data?.data ?? []).flatMap(choice),
    looking: text !== '' && (settled === '' || isFetching),
    error: settled === '' ? null : error,
  }
}
