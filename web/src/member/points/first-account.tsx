import type { Answer } from '@tallyroom/contract'
import { MAX_ACCOUNT_NUMBER, MAX_NAME } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import { useId } from 'react'
import { call } from '../../api/call.ts'
import { useOnce } from '../../api/use-once.ts'
import { useWords } from '../../i18n/i18n.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { Field } from '../field.tsx'
import { MemberForm } from '../form.tsx'

type Asked = NonNullable<Answer<'cash/view'>['first_account']>

/** CASH-11: the member enters its first bank account. Later ones are the office's. */
export const FirstAccount = ({ asked, onAdded }: { asked: Asked; onAdded: () => void }) => {
  const { t } = useWords()
  const id = useId()
  const once = useOnce()
  const needed = (text: string) => isBlank(text) && t('field.needed')
  const form = useForm(
    { bank: String(asked.banks.length === 1 ? asked.banks[0]?.id : ''), name: '', code: '', number: '' },
    { bank: needed, name: needed, number: needed, ...(asked.code ? { code: needed } : {}) },
  )
  const { draft, field } = form
  const add = () => {
    const number = asked.code ? `${draft.code.trim()}__${draft.number.trim()}` : draft.number.trim()
    const wanted = { bank_id: Number(draft.bank), account_name: draft.name, account_no: number }
    return once(wanted, (request_id) => call('bank/addOwn', { ...wanted, request_id }))
  }
  return (
    <MemberForm form={form} act={t('action.save')} onSubmit={form.submit(add, onAdded)}>
      <p className="c-note">{t('cash.first_account')}</p>
      <div className="m-field">
        <label htmlFor={`${id}-bank`}>{t('bank.bank')}</label>
        <select
          id={`${id}-bank`}
          className="select"
          aria-invalid={field('bank').error !== undefined}
          aria-describedby={`${id}-more`}
          value={draft.bank}
          onChange={({ target }) => form.set({ bank: target.value })}
        >
          <option value="">{t('bank.choose')}</option>
          {asked.banks.map((bank) => (
            <option key={bank.id} value={bank.id}>
              {bank.name}
            </option>
          ))}
        </select>
        <div id={`${id}-more`} className="m-more">
          {field('bank').error && (
            <span data-error role="alert">
              {field('bank').error}
            </span>
          )}
        </div>
      </div>
      <Field
        label={t('bank.account_name')}
        name="account-name"
        autoComplete="off"
        maxLength={MAX_NAME}
        required
        {...field('name')}
      />
      {asked.code && <Field label={asked.code} name="bank-code" autoComplete="off" required {...field('code')} />}
      <Field
        label={t('bank.account_no')}
        name="account-number"
        autoComplete="off"
        maxLength={MAX_ACCOUNT_NUMBER}
        required
        {...field('number')}
      />
    </MemberForm>
  )
}
