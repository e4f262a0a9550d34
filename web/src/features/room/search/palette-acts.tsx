import { MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import { AccountStatus, isCustomerService } from '@tallyroom/contract/codes'
import { cutText } from '@tallyroom/contract/text/cut-text'
import { fold, foldWanted } from '@tallyroom/contract/text/fold'
import type { RoomSummary } from '@tallyroom/contract/events'
import type { WordKey } from '@tallyroom/locales'
import { useRouter } from '@tanstack/react-router'
import { useCall } from '../../../api/use-call.ts'
import { actionsOf, useMenu } from '../../../api/use-menu.ts'
import { exactAmount } from '../../../chat/model/message-kinds.ts'
import { useRooms } from '../../../chat/view/use-chat.ts'
import { type Translate, useWords } from '../../../i18n/i18n.ts'
import { nameRank } from '../../../lib/name-rank.ts'
import { typedAmount } from '../../../lib/typed-amount.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import type { Choice, PaletteSource } from '../../../ui/palette-source.ts'
import { nameOf } from '../../../ui/person.tsx'
import { foldedNames, isNamed } from '../state/filter.ts'
import { wantAct } from '../state/wanted-act.ts'

const FreezeDialog = lazyPart(async () => (await import('../../account/freeze-dialog.tsx')).FreezeDialog)

type AccountHit = Answer<'search/accounts'>['data'][number]

const actWords = [
  'palette.send',
  'palette.hand_over',
  'palette.freeze',
  'palette.statement',
] as const satisfies readonly WordKey[]

/** The typed words without those of an act: "freeze ann" looks for "ann". */
const nameIn = (words: string, t: Translate) => {
  const said = actWords.flatMap((key) =>
    fold(t(key, { name: '' }))
      .split(/\s+/)
      .filter(Boolean),
  )
  const isAct = (word: string) => word.length > 2 && said.some((one) => one.startsWith(fold(word)))
  const parts = words.split(/\s+/).filter(Boolean)
  const acts = parts.filter(isAct)
  // The "of" of "statement of ann". By itself it may be the beginning of a name.
  const isFiller = (word: string) => acts.length > 0 && said.includes(fold(word))
  return { name: parts.filter((part) => !isAct(part) && !isFiller(part)).join(' '), acts }
}

/** What can be done with the person whose name is typed: send points, hand the conversation over, open the statement, freeze. */
export const actSource: PaletteSource = {
  name: 'palette.acts',
  rank: () => 'last',
  useChoices: (text) => {
    const { t } = useWords()
    const { amount, words } = typedAmount(text)
    const { name, acts } = nameIn(words, t)
    const ofRoom = useRoomActs(name, amount)
    const ofAccount = useAccountActs(name)
    const all = [...ofRoom, ...ofAccount]
    const isMeant = ({ title }: Choice) => acts.every((act) => fold(title).includes(fold(act)))
    return { choices: name === '' ? [] : all.filter(isMeant) }
  },
}

/** The room that fits best, of those that this browser has loaded. */
const useBestRoom = (name: string): RoomSummary | undefined => {
  const [shown, hidden, bots] = [useRooms(1), useRooms(2), useRooms(3)]
  if (name === '') return undefined
  const wanted = foldWanted(name)
  const rank = (room: RoomSummary) => Math.min(...foldedNames(room).map((one) => nameRank(one, wanted)))
  return [shown.list, hidden.list, bots.list]
    .flat()
    .filter(isNamed(name))
    .toSorted((a, b) => rank(a) - rank(b))[0]
}

const useRoomActs = (name: string, amount: string | undefined): Choice[] => {
  const { t } = useWords()
  const { history } = useRouter()
  const own = useCall('user/view', {}, { meta: { optional: true } })
  const room = useBestRoom(name)
  if (!room) return []
  const choice = (act: 'points' | 'handOver', title: string): Choice => ({
    key: `${act} ${room.code}`,
    kind: 'act',
    icon: act === 'points' ? 'points' : 'transfer',
    title,
    detail: room.partner_username,
    href: '',
    run: () => {
      history.push(`/chat/messaging/${room.room_id}/${room.member_id}/${room.code}`)
      wantAct({ code: room.code, act, amount: amount ?? '' })
    },
    keys: act === 'points' ? 'Alt+P' : 'Alt+O',
  })
  const send =
    amount === undefined
      ? t('palette.send', { name: room.name })
      : t('points.do_give', { amount: exactAmount(amount), name: room.name })
  return [
    ...(own.data?.red_envelope_button_visible === 1 ? [choice('points', send)] : []),
    // Only a conversation that somebody has taken can be handed over.
    ...(room.owner_id === null ? [] : [choice('handOver', t('palette.hand_over', { name: room.name }))]),
  ]
}

/** Offers the statement of the first account found by this name, and freezing the first that the user may freeze. */
const useAccountActs = (name: string): Choice[] => {
  const { t } = useWords()
  const menu = useMenu()
  const debounced = cutText(useDebounced(name), MAX_TYPED_NAME)
  const hits = useCall(
    'search/accounts',
    { text: debounced || ' ' },
    { enabled: debounced !== '', meta: { optional: true } },
  )
  const mayFreeze = ({ role_id, status }: AccountHit) =>
    status === AccountStatus.active && actionsOf(menu.pageOf(role_id)).includes('delete')
  const found = debounced === '' ? [] : (hits.data?.data ?? [])
  const [first] = menu.has('/report/statement') ? found.filter(({ role_id }) => !isCustomerService(role_id)) : []
  const frozen = found.find(mayFreeze)
  const detailOf = ({ nickname, username }: AccountHit) => (nickname ? username : '')
  return [
    ...(first
      ? [
          {
            key: `statement ${first.id}`,
            kind: 'act' as const,
            icon: 'notebook' as const,
            title: t('palette.statement', { name: nameOf(first) }),
            detail: detailOf(first),
            href: `/report/statement?id=${first.id}`,
          },
        ]
      : []),
    ...(frozen
      ? [
          {
            key: `freeze ${frozen.id}`,
            kind: 'act' as const,
            icon: 'freeze' as const,
            title: t('palette.freeze', { name: nameOf(frozen) }),
            detail: detailOf(frozen),
            href: '',
            opens: (onClose: () => void) => <FreezeDialog row={{ ...frozen, thumbnail: '' }} onClose={onClose} />,
          },
        ]
      : []),
  ]
}
