import type { Answer } from '@tallyroom/contract'
import { MAX_NAME } from '@tallyroom/contract/lengths'
import { type ApiDate, apiDates } from '@tallyroom/contract/api/dates'
import { type ApiRight, apiRights } from '@tallyroom/contract/api/rights'
import { typedKey } from '@tallyroom/contract/text/typed-key'
import type { WordKey } from '@tallyroom/locales'
import { useState } from 'react'
import { call, newRequestId } from '../../api/call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { groupCount } from '../../ui/form/amount-text.ts'
import { Check } from '../../ui/form/check.tsx'
import { PasswordAgain } from '../../ui/form/current-password.tsx'
import { Field } from '../../ui/form/field.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { isDay } from '../../ui/form/range.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { LimitsSection } from '../account/limits.tsx'
import { useLimits } from '../account/use-limits.ts'
import { wholeNumber } from '../../ui/form/whole-number.ts'

export type NewKey = Answer<'apiKey/add'>
export type KeyRow = Answer<'apiKey/list'>['data'][number]

/** What is typed, the same in every language. */
const DAY = 'YYYY-MM-DD'
const MOST_CALLS = 1_000_000
const CALLS = `1 – ${groupCount(MOST_CALLS)}`

export const rightWords: Record<ApiRight, WordKey> = {
  'accounts:read': 'api_key.right_accounts_read',
  'accounts:write': 'api_key.right_accounts_write',
  signin: 'api_key.right_signin',
  bets: 'api_key.right_bets',
  'points:give': 'api_key.right_points_give',
  'points:take': 'api_key.right_points_take',
  'points:correct': 'api_key.right_points_correct',
  'cash:read': 'api_key.right_cash_read',
  'cash:ask': 'api_key.right_cash_ask',
  'cash:fulfil': 'api_key.right_cash_fulfil',
  'bank:write': 'api_key.right_bank_write',
  'talk:read': 'api_key.right_talk_read',
  'talk:write': 'api_key.right_talk_write',
  statements: 'api_key.right_statements',
  settlements: 'api_key.right_settlements',
  settings: 'api_key.right_settings',
  webhooks: 'api_key.right_webhooks',
  endpoints: 'api_key.right_endpoints',
  sandbox: 'api_key.right_sandbox',
}

const draftOf = (row: KeyRow | undefined, isSandbox: boolean) => ({
  label: row?.label ?? '',
  // Nothing is worth anything there, so a new key may do everything until somebody tries it with less.
  rights: row?.rights ?? (isSandbox ? [...apiRights] : []),
  addresses: row?.addresses.join('\n') ?? '',
  expires_on: row?.expires_on ?? '',
  per_second: row?.per_second ? String(row.per_second) : '',
  version: (row?.version ?? '') as ApiDate | '',
  current_password: '',
})
type Draft = ReturnType<typeof draftOf>

const termsOf = ({ rights, addresses, expires_on, per_second, version, current_password }: Draft) => ({
  rights,
  addresses: addresses.split(/[\s,]+/).filter(Boolean),
  expires_on: typedKey(expires_on) || null,
  per_second: per_second.trim() ? wholeNumber(per_second) : null,
  version: version || null,
  ...(current_password ? { current_password } : {}),
})

const isCalls = (calls: number) => calls >= 1 && calls <= MOST_CALLS

type Props = {
  /** The key that changes; without one a new one is made. */
  row?: KeyRow | undefined
  /** The new key is one of the sandbox. */
  isNewOfSandbox?: boolean
  onClose: () => void
  /** `made`: the new key. `approval`: what it may do waits. */
  onDone: (answer: { made?: NewKey; approval?: 0 | 1 | undefined }) => void
}

/** What a key may do, from where, until when, how often and in which form. */
export const KeyDialog = ({ row, isNewOfSandbox = false, onClose, onDone }: Props) => {
  const { t } = useWords()
  const isSandbox = row?.is_sandbox ?? isNewOfSandbox
  const form = useForm(() => draftOf(row, isSandbox), {
    // What it moves is in the log under this name.
    label: (typed) => !row && typed.trim() === '' && t('api_key.label_needed'),
    expires_on: (day) => typedKey(day) !== '' && !isDay(typedKey(day)) && DAY,
    // Nothing means no limit, so what is no number must not become nothing.
    per_second: (typed) => typed.trim() !== '' && !isCalls(wholeNumber(typed)) && CALLS,
  })
  const { draft } = form
  const [wantsLimits, setWantsLimits] = useState(false)
  const limits = useLimits(row?.actor_id ?? 0, wantsLimits)
  const send = async (sent: Draft) => {
    if (row) {
      const { approval } = await call('apiKey/set', { request_id: newRequestId(), id: row.id, ...termsOf(sent) })
      const isWaiting = await limits.save()
      return { approval: approval === 1 || isWaiting ? (1 as const) : (0 as const) }
    }
    const made = await call('apiKey/add', {
      label: sent.label.trim(),
      ...(isSandbox ? { sandbox: 1 } : {}),
      ...termsOf(sent),
    })
    return { made, approval: made.approval }
  }
  const make = isSandbox ? 'api_key.sandbox_make' : 'api_key.make'
  const choose = (right: ApiRight, isOn: boolean) =>
    form.set({ rights: apiRights.filter((one) => (one === right ? isOn : draft.rights.includes(one))) })
  return (
    <FormDialog
      title={row ? t('api_key.change_named', { name: row.label || row.id }) : t(make)}
      act={t(row ? 'action.save' : make)}
      form={{ ...form, hasChanges: form.hasChanges || limits.hasChanges }}
      onSubmit={(event) => {
        event.preventDefault()
        const isRight = [form.check(), limits.check()]
        if (isRight.every(Boolean)) form.submit(send, onDone)(event)
      }}
      onClose={onClose}
    >
      {!row && <TextField label={t('api_key.label')} required maxLength={MAX_NAME} {...form.field('label')} />}
      <div role="group" className="api-rights" aria-label={t('audit.field_key_rights')}>
        {apiRights
          .filter((right) => isSandbox || right !== 'sandbox')
          .map((right) => (
            <Check key={right} isOn={draft.rights.includes(right)} onChange={(isOn) => choose(right, isOn)}>
              <span>
                {t(rightWords[right])} <code>{right}</code>
              </span>
            </Check>
          ))}
      </div>
      <TextField
        label={t('audit.field_key_addresses')}
        rows={2}
        hint={t('api_key.addresses_hint')}
        {...form.field('addresses')}
      />
      <TextField
        label={t('audit.field_expires_on')}
        placeholder={DAY}
        hint={t('api_key.expires_hint')}
        {...form.field('expires_on')}
      />
      <TextField
        label={t('audit.field_per_second')}
        inputMode="numeric"
        autoComplete="off"
        hint={t('api_key.per_second_hint')}
        {...form.field('per_second')}
      />
      <Field label={t('audit.field_key_version')} hint={t('api_key.form_hint')}>
        {(control) => (
          <select
            {...control}
            value={draft.version}
            onChange={({ currentTarget: { value } }) =>
              form.set({ version: apiDates.find((date) => date === value) ?? '' })
            }
          >
            <option value="">{t('api_key.form_none')}</option>
            {apiDates.map((date) => (
              <option key={date}>{date}</option>
            ))}
          </select>
        )}
      </Field>
      {row?.actor_id && <LimitsSection state={limits} onOpen={() => setWantsLimits(true)} />}
      {form.needsPassword && <PasswordAgain {...form.field('current_password')} />}
    </FormDialog>
  )
}
