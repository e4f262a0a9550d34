import { MAX_CODE_NAME, MAX_NAME } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import type { Answer } from '@tallyroom/contract'
import { type FormEvent, useId, useState } from 'react'
import { Switch } from '../../ui/control/switch.tsx'
import { Input } from '../../ui/control/input.tsx'
import { Button } from '../../ui/control/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { type FieldState, useForm } from '../../ui/form/use-form.ts'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { takeFocus } from '../../ui/keyboard/focus.ts'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { DEFAULT_CODE_NAME } from './draft.ts'
import './bank.css'

type Rules = Omit<Answer<'bank_setting/view'>, 'changeable'>

/** Settings of the top account: whether its members have bank accounts, in which form, and with which banks. */
export const BankSettings = () => {
  const view = useCall('bank_setting/view', {})
  if (!view.data?.changeable) return null
  const { changeable: _, ...rules } = view.data
  return (
    <div className="setting-columns">
      <RulesCard rules={rules} />
      {rules.is_third === 1 && <BanksCard />}
    </div>
  )
}

const RulesCard = ({ rules }: { rules: Rules }) => {
  const { t } = useWords()
  const save = useSend('bank_setting/save', { refreshes: ['bank_setting/view', 'members/hasBankCardSetting'] })
  const form = useForm(rules)
  const { draft } = form
  const submit = form.submit(
    () => save.mutateAsync(draft),
    () => {
      form.keep(draft)
      notify.done(t('done.saved'))
    },
  )
  return (
    <FormCard
      title={t('bank.settings')}
      hint={t('bank.settings_hint')}
      className="bank-rules"
      form={form}
      onSubmit={submit}
    >
      <UnsavedChanges hasChanges={form.hasChanges} />
      <Rule label={t('bank.is_third')} {...form.field('is_third')} />
      {draft.is_third === 1 && (
        <>
          <Rule label={t('bank.several')} {...form.field('has_bank_card_setting')} />
          {draft.has_bank_card_setting === 1 && (
            <Field label={t('bank.amount')}>
              {(control) => (
                <select
                  {...control}
                  className="select"
                  value={draft.bank_card_amount}
                  onChange={(event) => form.set({ bank_card_amount: Number(event.target.value) })}
                >
                  {Array.from({ length: 20 }, (_item, at) => (
                    <option key={at + 1} value={at + 1}>
                      {at + 1}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
          {draft.has_bank_card_setting === 1 && (
            <Rule label={t('bank.own_names')} {...form.field('account_name_modify')} />
          )}
          <Rule label={t('bank.with_code')} {...form.field('enable_bsb_code')} />
          {draft.enable_bsb_code === 1 && (
            <TextField
              label={t('bank.code_alias')}
              maxLength={MAX_CODE_NAME}
              placeholder={DEFAULT_CODE_NAME}
              {...form.field('bsb_code_alias')}
            />
          )}
          <Rule label={t('bank.cj7')} {...form.field('cj7')} />
        </>
      )}
    </FormCard>
  )
}

const Rule = ({ label, value, onChange }: FieldState<0 | 1> & { label: string }) => {
  const id = useId()
  return (
    <div className="bank-rule">
      <Switch aria-labelledby={id} checked={value === 1} onChange={(on) => onChange(on ? 1 : 0)} />
      <span id={id}>{label}</span>
    </div>
  )
}

type Bank = Answer<'orderType/list'>['data'][number]

/** A bank's name, and whether it is offered. A new name also applies to saved accounts. */
const BankLine = ({ bank }: { bank: Bank }) => {
  const { t } = useWords()
  const save = useSend('orderType/save', { refreshes: ['orderType/list'] })
  const [name, setName] = useState<string>()
  /** The button that named it has gone meanwhile: the focus would go to another bank's. */
  const [wasNamed, setWasNamed] = useState(false)
  const close = () => {
    setName(undefined)
    setWasNamed(true)
  }
  const rename = (event: FormEvent) => {
    event.preventDefault()
    if (name === undefined || save.isPending || isBlank(name)) return
    save.mutate({ id: bank.id, name, status: bank.status }, { onSuccess: close })
  }
  if (name !== undefined) {
    return (
      <li className="bank-naming">
        {save.error && <Alert text={save.error.message} />}
        <UnsavedChanges hasChanges={name.trim() !== bank.name} />
        <form className="bank-add" onSubmit={rename}>
          <Input
            aria-label={t('bank.rename', { name: bank.name })}
            autoFocus
            maxLength={MAX_NAME}
            dir="auto"
            value={name}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && close()}
          />
          <Button main submits busy={save.isPending}>
            {t('action.save')}
          </Button>
          <Button onClick={close}>{t('action.cancel')}</Button>
        </form>
      </li>
    )
  }
  return (
    <li>
      <bdi>{bank.name}</bdi>
      <Button
        ref={wasNamed ? takeFocus : undefined}
        plain
        aria-label={t('bank.rename', { name: bank.name })}
        title={t('bank.rename', { name: bank.name })}
        icon="edit"
        onClick={() => {
          save.reset()
          setName(bank.name)
        }}
      />
      <Switch
        aria-label={t('bank.offer', { name: bank.name })}
        checked={bank.status === 1}
        disabled={save.isPending}
        onChange={(on) => save.mutate({ id: bank.id, name: bank.name, status: on ? 1 : 0 })}
      />
    </li>
  )
}

const BanksCard = () => {
  const { t } = useWords()
  const list = useCall('orderType/list', {})
  const save = useSend('orderType/save', { refreshes: ['orderType/list'] })
  const [name, setName] = useState('')
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending || isBlank(name)) return
    save.mutate({ name }, { onSuccess: () => setName('') })
  }
  return (
    <section className="card bank-rules">
      <h2>{t('bank.banks')}</h2>
      {(save.error ?? list.error) && <Alert text={(save.error ?? list.error)?.message ?? ''} />}
      {list.data?.data.length === 0 && <p className="card-hint">{t('bank.banks_empty')}</p>}
      <ul className="bank-list">
        {list.data?.data.map((bank) => (
          <BankLine key={bank.id} bank={bank} />
        ))}
      </ul>
      <UnsavedChanges hasChanges={name.trim() !== ''} />
      <form className="bank-add" onSubmit={add}>
        <Input
          aria-label={t('bank.bank')}
          maxLength={MAX_NAME}
          dir="auto"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button submits busy={save.isPending}>
          {t('bank.add_bank')}
        </Button>
      </form>
    </section>
  )
}
