import en from '@tallyroom/locales/en'
import { expect, test } from 'vitest'
import { t } from '../i18n/i18n.ts'
import { factLines } from './fact-lines.ts'

const fact = (field: string, after: string) => ({ field, before: null, after })

test('[CAPS-02] approvals, limits and files are described in words, not by keys', () => {
  const facts = [
    fact('over', 'member'),
    fact('limit', '1000.0000'),
    fact('limit_2_hour', '50.0000'),
    fact('four_eyes', 'credit, export'),
    fact('types', '1, 2'),
    fact('statuses', '1, 4'),
    fact('states', 'paid, refused'),
    fact('direction', 'out'),
    fact('scope', 'branch'),
    fact('min_amount', '5.0000'),
    fact('amount', '-60.0050'),
  ]
  expect(factLines(t, facts)).toEqual([
    { label: en['audit.field_over'], value: en['limit.member'] },
    { label: en['audit.field_limit'], value: '1,000.00' },
    { label: `${t('transfer.kind_out')}: ${en['limit.hour']}`, value: '50.00' },
    { label: en['change.rules'], value: `${en['change.credit']}, ${en['change.export']}` },
    { label: en['history.type'], value: `${t('transfer.kind_in')}, ${t('transfer.kind_out')}` },
    { label: en['account.status'], value: `${en['status.success']}, ${en['status.pending']}` },
    { label: en['account.status'], value: `${en['cash.state_paid']}, ${en['cash.state_refused']}` },
    { label: en['requests.points'], value: en['cash.out'] },
    { label: en['statement.scope'], value: en['statement.scope_branch'] },
    { label: en['filter.min'], value: '5.00' },
    { label: en['transfer.amount'], value: '−60.0050' },
  ])
})

test('[CAPS-04] accounts are named; one above the reader is a dash', () => {
  const facts = [fact('maker', 'ann01'), { field: 'upline_id', before: 'ann01', after: '' }]
  expect(factLines(t, facts)).toEqual([
    { label: en['audit.field_maker'], value: 'ann01' },
    { label: en['audit.field_upline_id'], value: t('audit.before_after', { before: 'ann01', after: '–' }) },
  ])
})
