import { Role, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { mayWait } from '@tallyroom/contract/transfer-kinds'
import type { Answer } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'
import { Amount, available } from '../../../ui/amount.tsx'
import { Person } from '../../../ui/person.tsx'
import { pointsOf } from '../../../ui/points-of.ts'
import type { Translate } from '../../../i18n/i18n.ts'
import type { Confirmation } from '../../transfer/steps.tsx'
import { asksTurnover, type Kind, kindWords, takes, type Wallet } from './points-kinds.ts'

type Terms = {
  t: Translate
  own: Answer<'user/view'>
  member: Answer<'member/view'>
  kind: Kind
  points: Points
  wallet: Wallet
  audit: string
  remark: string
  overrides: boolean
}

export const walletWord = (wallet: Wallet) => (wallet === WalletKind.main ? 'wallet.main' : 'wallet.game')
export const balanceIn = (member: Answer<'member/view'>, wallet: Wallet) =>
  pointsOf(wallet === WalletKind.main ? member.balance : member.game_wallet)

/** The confirmation step: amount, receiver's name and username, wallet, and the balances afterwards. */
export const confirmationOf = ({
  t,
  own,
  member,
  kind,
  points,
  wallet,
  audit,
  remark,
  overrides,
}: Terms): Confirmation => {
  const taken = takes(kind)
  const change = taken ? -points : points
  const several = member.is_multiple_wallet === 1
  // Customer service may spend its group's wallet (CONV-15).
  const { payer } = member
  const isOwnWallet = own.role_id !== Role.customerService || payer.id === own.id
  const consent = member.consent_needed === 1 && mayWait(kind)
  const line = (shown: boolean, label: string, value: Confirmation['amount']) => (shown ? [{ label, value }] : [])
  return {
    amount: <Amount exact value={points} way={taken ? 'in' : 'out'} />,
    lines: [
      { label: t(taken ? 'transfer.from' : 'transfer.to'), value: <Person who={member} /> },
      { label: t('room.points_kind'), value: t(kindWords[kind]) },
      ...line(several, t('transfer.wallet'), t(walletWord(wallet))),
      {
        label: t('transfer.their_balance_after'),
        value: <Amount exact value={balanceIn(member, wallet) + change} />,
      },
      isOwnWallet
        ? {
            label: t('transfer.own_balance_after'),
            value: <Amount exact value={available(own) - change} unlimited={own.unlimited} />,
          }
        : {
            label: t('points.payer_after', { name: payer.name }),
            value: <Amount exact value={pointsOf(payer.available) - change} unlimited={payer.unlimited} />,
          },
      ...line(asksTurnover(kind, member), t('room.turnover'), <Amount exact value={audit} />),
      ...line(kind === TransferKind.receive && overrides, t('room.flow_limit'), t('room.flow_override')),
      ...line(remark !== '', t('transfer.remark'), remark),
      ...line(consent, t('room.consent'), t('room.consent_needed')),
    ],
  }
}
