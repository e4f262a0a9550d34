import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import { type CashReason, cashReasons } from '@tallyroom/contract/cash'
import { MAX_REASON } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import { latinDigits } from '@tallyroom/contract/text/latin-digits'
import { useEffect } from 'react'
import { useSend } from '../../api/use-call.ts'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { useWords } from '../../i18n/i18n.ts'
import { RadioGroup } from '../../ui/control/radio.tsx'
import { Check } from '../../ui/form/check.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { isTyping } from '../../ui/keyboard/keys-asked.ts'
import { nameOf } from '../../ui/person.tsx'

type Props = { row: CashRow; onRefused: () => void; onClose: () => void }
type Choice = CashReason | 'other'

/** Refuses a request for one of the usual reasons, with or without own words, or for another one in own words. */
export const RefuseDialog = ({ row, onRefused, onClose }: Props) => {
  const { t } = useWords()
  const refuse = useSend('cash/refuse', { refreshes: ['cash/list', 'cash/open', 'cash/day'] })
  const form = useForm({ choice: undefined as Choice | undefined, reason: '', looked: false })
  const { choice } = form.draft
  const reasons = cashReasons[row.direction]
  useNumberKeys((number) => {
    const chosen = [...reasons, 'other' as const][number - 1]
    if (chosen) form.set({ choice: chosen })
  })
  const isOther = choice === 'other'
  const submit = form.submit(
    ({ reason }) =>
      refuse.mutateAsync({
        id: row.id,
        reason: reason.trim(),
        ...(choice && !isOther ? { reason_code: choice } : {}),
        ...(row.maybe_paid ? { looked: 1 as const } : {}),
      }),
    onRefused,
  )
  const option = (value: Choice, at: number) => ({
    value,
    label: (
      <>
        <kbd aria-hidden="true">{at + 1}</kbd>{' '}
        {value === 'other' ? t('requests.other_reason') : t(`cash.reason_${value}`)}
      </>
    ),
  })
  return (
    <FormDialog
      title={t('requests.refuse_what', { amount: exactAmount(row.amount), name: nameOf(row) })}
      act={t('requests.refuse')}
      danger
      form={form}
      disabled={
        choice === undefined ||
        (isOther && isBlank(form.draft.reason)) ||
        (row.maybe_paid !== undefined && !form.draft.looked)
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="field request-reasons">
        <RadioGroup
          label={t('requests.reason')}
          autoFocus
          options={[...reasons, 'other' as const].map(option)}
          {...form.field('choice')}
        />
        <p className="field-hint">{t('requests.reason_hint')}</p>
      </div>
      <TextField
        label={t('requests.own_words')}
        required={isOther}
        rows={2}
        maxLength={MAX_REASON}
        {...form.field('reason')}
      />
      {row.maybe_paid && (
        <Check isOn={form.draft.looked} onChange={(looked) => form.set({ looked })}>
          {t('requests.looked')}
        </Check>
      )}
    </FormDialog>
  )
}

/** Keys 1 to 9, while no text is being typed. */
const useNumberKeys = (onNumber: (number: number) => void) =>
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, altKey, ctrlKey, metaKey } = event
      if (altKey || ctrlKey || metaKey || (target instanceof Element && isTyping(target))) return
      const number = Number(latinDigits(key))
      if (number > 0 && number < 10) onNumber(number)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
