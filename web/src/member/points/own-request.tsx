import type { Answer } from '@tallyroom/contract'
import { views } from '@tallyroom/contract/transfer-kinds'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { WithdrawCashRequest } from '../../chat/view/cards/cash-card.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { CashStatus } from '../../domain/cash-status.tsx'

type Props = {
  cashRequest: NonNullable<Answer<'cash/view'>['open']>
  /** Loads it again. */
  onDone: () => Promise<unknown>
}

/** The member's open request, in place of the form for another one: there is one at a time. */
export const OwnCashRequest = ({ cashRequest, onDone }: Props) => {
  const { t } = useWords()
  const { id, state, direction, amount, asked_at } = cashRequest
  const { sign } = direction === 'in' ? views.to : views.from
  return (
    <section className="m-own-request">
      <h3>{t('cash.your_request')}</h3>
      <div className="m-history-top">
        <span>{t(direction === 'in' ? 'cash.in' : 'cash.out')}</span>
        <CashStatus state={state} />
      </div>
      <p className="m-own-amount points" data-way={direction}>
        {sign}
        {exactAmount(amount)}
      </p>
      <p className="c-note">
        <time>{showMoment(asked_at)}</time>
      </p>
      {direction === 'out' && <p className="c-note">{t('cash.held_line')}</p>}
      <p className="c-note">{t(state === 'asked' ? 'cash.open_note' : 'cash.handled_note')}</p>
      {state === 'asked' && <WithdrawCashRequest id={id} onDone={onDone} />}
    </section>
  )
}
