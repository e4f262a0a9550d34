import type { Answer } from '@tallyroom/contract'
import { TransferKind } from '@tallyroom/contract/codes'
import { factsOfKind, viewOfKind } from '@tallyroom/contract/transfer-kinds'
import type { WordKey } from '@tallyroom/locales'
import type { Translate } from '../i18n/i18n.ts'

export type TransferRow = Answer<'transaction/list'>['data'][number]

type Kind = { type: number; corrects_type: number | null }

/** A transfer in words: "To Gina", "From Gina · Game wallet deduction", or between its own wallets only the kind. */
export const movementText = ({ type, corrects_type }: Kind, t: Translate, name: string) => {
  const view = viewOfKind(type, corrects_type)
  if (!view) return t(kindWord(type))
  const isPlain = type === TransferKind.send || type === TransferKind.receive
  return isPlain ? t(view.word, { name }) : `${t(view.word, { name })} · ${t(kindWord(type))}`
}

export const kindWord = (type: number): WordKey => factsOfKind(type)?.word ?? 'transfer.kind_other'
