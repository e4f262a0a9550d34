import { MAX_REMARK } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import type { Answer } from '@tallyroom/contract'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { signPoints } from '../../api/passkey.ts'
import { Amount, exactText } from '../../ui/amount.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { pointsOf } from '../../ui/points-of.ts'
import { refresh } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { AccountName } from '../../domain/transfer-cells.tsx'
import { kindWord } from '../../domain/transfer-words.ts'
import { PointsSteps } from '../../domain/transfer-steps/steps.tsx'

type Props = { view: Answer<'transaction/view'>; onClose: () => void }

/** An admin takes back a mistaken transfer, once and in full, with a reason. */
export const CorrectionDialog = ({ view, onClose }: Props) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const form = useForm({ remark: '' }, { remark: (text) => isBlank(text) && t('transfer.remark_needed') })
  const remark = form.draft.remark.trim()
  const check = () => {
    if (!form.check()) return undefined
    return {
      act: t('transfer.correct_act', { amount: exactText(pointsOf(view.amount)) }),
      who: <AccountName nickname={view.member_nickname} username={view.member_username} />,
      amount: <Amount exact value={view.amount} />,
      lines: [
        { label: t('transfer.corrects'), value: t(kindWord(view.type)) },
        { label: t('history.created_at'), value: <span className="points">{view.created_at}</span> },
        { label: t('transfer.remark'), value: remark },
      ],
    }
  }
  return (
    <PointsSteps
      title={t('transfer.correct')}
      waits="change.asked"
      check={check}
      send={(extra) => call('transaction/correct', { transaction_id: view.transaction_id, remark, ...extra })}
      sign={(requestId) =>
        signPoints({ call: 'transaction/correct', transaction_id: view.transaction_id, request: requestId })
      }
      onMoved={() =>
        void refresh(cache, ['transaction/list', 'transaction/view', 'redEnvelope/record', 'user/view', 'report/sr02'])
      }
      onClose={onClose}
      result={(moved) => [{ label: t('transfer.their_balance'), value: <Amount value={moved.target_balance} /> }]}
      form={
        <>
          <p className="dialog-who">
            <AccountName nickname={view.member_nickname} username={view.member_username} />{' '}
            <Amount exact value={view.amount} />
          </p>
          <p>{t('transfer.correct_hint')}</p>
          <TextField
            label={t('transfer.remark')}
            required
            autoFocus
            maxLength={MAX_REMARK}
            showCount
            {...form.field('remark')}
          />
        </>
      }
    />
  )
}
