import type { Answer } from '@tallyroom/contract'
import type { BellKind } from '@tallyroom/contract/desk/bell'
import { exactText } from '../../ui/amount.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { useWords } from '../../i18n/i18n.ts'

export type BellRow = Answer<'bell/list'>['data'][number]

export const bellIcons = {
  mention: 'user',
  handed: 'transfer',
  decision: 'checks',
  refused: 'alert',
} as const satisfies Record<BellKind, IconName>

/** The address to which an item leads; undefined where its reader does not have the page. `has`: the pages of the menu. */
export const itemPath = (
  { kind, room, note, at, approval_id, change_id, cash_id }: BellRow,
  has: (url: string) => boolean,
): string | undefined => {
  if (kind === 'decision')
    return has('/approvals') ? `/approvals?state=decided&approval=${approval_id ?? `c${change_id}`}` : undefined
  if (kind === 'refused' && has('/cash')) return `/cash?request=${cash_id}`
  if (note) return `/chat/noteContent/${note.note_id}/${note.member_id}/${encodeURIComponent(note.title || '-')}`
  if (!room) return '/chat/messaging'
  return `/chat/messaging/${room.room_id}/${room.member_id}/${room.code}${at ? `?at=${at}` : ''}`
}

/** The words of an item: what has happened, with whom, and the beginning of what was written. */
export const useItemWords = ({ kind, name, rooms, room, note, amount, text, ...row }: BellRow) => {
  const { t } = useWords()
  const points = amount === null ? '' : exactText(pointsOf(amount))
  const reason = row.reason_code ? t(`cash.reason_${row.reason_code}`) : ''
  const titles: Record<BellKind, string> = {
    mention: t(note ? 'bell.note' : 'bell.mention', { name }),
    handed: rooms > 1 ? t('bell.handed_many', { name, n: rooms }) : t('bell.handed', { name }),
    decision: row.change
      ? t('bell.change', { what: t(`change.${row.change}`) })
      : t('bell.transfer', { amount: points }),
    refused: t('bell.refused', { amount: points }),
  }
  return { title: titles[kind], about: room?.name ?? '', text: [reason, text].filter(Boolean).join(' ') }
}
