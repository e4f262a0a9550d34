import { MAX_REMARK } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import { NamedSentence } from '../../domain/named-sentence.tsx'
import { Button } from '../../ui/control/button.tsx'
import { useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Amount } from '../../ui/amount.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { nameOf } from '../../ui/person.tsx'
import { TitledTable } from './titled-table.tsx'
import { periodText } from './words.ts'

type Settlement = Answer<'settlement/list'>['data'][number]

/** BOOK-02: what agents and their uplines owe each other for closed periods. */
export const useSettlements = (enabled: boolean) =>
  useCall('settlement/list', {}, { enabled, meta: { optional: true } }).data

export const Settlements = ({ rows }: { rows: readonly Settlement[] }) => {
  const { t } = useWords()
  const [settled, setSettled] = useState<Settlement>()
  return (
    <TitledTable
      title={t('settlement.title')}
      after={settled && <SettleDialog row={settled} onClose={() => setSettled(undefined)} />}
    >
      <thead>
        <tr>
          <th scope="col">{t('range.presets')}</th>
          <th scope="col">{t('settlement.what')}</th>
          <th scope="col" className="end">
            {t('transfer.amount')}
          </th>
          <th scope="col">{t('account.status')}</th>
          <th scope="col">{t('transfer.remark')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td className="points">{periodText(row)}</td>
            <td>
              <Owes row={row} />
            </td>
            <td className="end">
              <Amount exact value={row.amount.replace('-', '')} />
            </td>
            <td>
              {row.state === 'settled' ? (
                <span className="points">
                  {t('settlement.settled')} {row.settled_at}
                </span>
              ) : row.own === 1 ? (
                <Button
                  small
                  aria-label={`${t('settlement.settle')}: ${nameOf(row.downline)}, ${periodText(row)}`}
                  onClick={() => setSettled(row)}
                >
                  {t('settlement.settle')}
                </Button>
              ) : (
                t('settlement.open')
              )}
            </td>
            <td>{row.remark}</td>
          </tr>
        ))}
      </tbody>
    </TitledTable>
  )
}

const Owes = ({ row: { upline, downline, amount } }: { row: Settlement }) => {
  const { t } = useWords()
  const who = amount.startsWith('-') ? { name: upline, other: downline } : { name: downline, other: upline }
  return <NamedSentence who={who} say={(marks) => t('settlement.owes', marks)} />
}

const SettleDialog = ({ row, onClose }: { row: Settlement; onClose: () => void }) => {
  const { t } = useWords()
  const settle = useSend('settlement/settle', { refreshes: ['settlement/list'] })
  const form = useForm({ remark: '' })
  return (
    <FormDialog
      title={t('settlement.settle')}
      act={t('settlement.settle')}
      form={form}
      onSubmit={form.submit(({ remark }) => settle.mutateAsync({ id: row.id, remark: remark.trim() }), onClose)}
      onClose={onClose}
    >
      <p>
        <Owes row={row} />: <Amount exact value={row.amount.replace('-', '')} />
      </p>
      <TextField label={t('transfer.remark')} autoFocus maxLength={MAX_REMARK} {...form.field('remark')} />
    </FormDialog>
  )
}
