import type { Answer } from '@tallyroom/contract'
import { factsOfKind } from '@tallyroom/contract/transfer-kinds'
import type { WordKey } from '@tallyroom/locales'

export type TransferRow = Answer<'transaction/list'>['data'][number]

const directionOf = (kind: number) => factsOfKind(kind)?.direction

/** Direction of the points from the user's side; undefined between the member's own wallets. */
export const wayOf = ({ type, corrects_type }: { type: number; corrects_type: number | null }) => {
  const direction = directionOf(corrects_type ?? type)
  if (direction !== 'give' && direction !== 'take') return undefined
  // A correction has the opposite direction of the transfer that it corrects.
  return (direction === 'give') === (corrects_type === null) ? 'in' : 'out'
}

export const kindWord = (type: number): WordKey => factsOfKind(type)?.word ?? 'transfer.kind_other'
