import type { Answer } from '@tallyroom/contract'
import { TransferKind } from '@tallyroom/contract/codes'
import { factsOfKind, viewOfKind } from '@tallyroom/contract/transfer-kinds'
import type { WordKey } from '@tallyroom/locales'
import type { Translate } from '../i18n/i18n.ts'

export type TransferRow = Answer<'transaction/list'>['data'][number]

type Kind = { type: number; corrects_type: number | null }

/**
 * A transfer in words: "Points in", "Points out · Game wallet deduction", or between its own wallets only the kind. With
 * `name`, where what is around it does not name the member: "Points in · Gina".
 */
export const movementText = ({ type, corrects_type }: Kind, t: Translate, name?: string) => {
  const view = viewOfKind(type, corrects_type)
  const isPlain = view && (type === TransferKind.send || type === TransferKind.receive)
  return [view && t(view.word), view && name, isPlain ? undefined : t(kindWord(type))].filter(Boolean).join(' · ')
}

export const kindWord = (type: number): WordKey => factsOfKind(type)?.word ?? 'transfer.kind_other'
