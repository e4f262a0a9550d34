import { Role } from '@tallyroom/contract/codes'
import type { Answer, Input as InputOf } from '@tallyroom/contract'
import type { AbilityFlag } from '@tallyroom/contract/calls/ability'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Input, Switch } from 'antd'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { type FlagGroup, flagsOf } from '../../ui/ability-flags.ts'
import { AmountInput } from '../../ui/form/amount-input.tsx'
import { amountToSend, cleanAmount } from '../../ui/form/amount-text.ts'
import { Field } from '../../ui/form/field.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { keyOf, useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import './abilities.css'

type Abilities = Answer<'user/abilities'>
type Saved = InputOf<'user/saveAbilities'>
/** Changes that are not saved yet. */
type Changes = Partial<Record<AbilityFlag, 0 | 1>> & { multiple?: string; credit?: string; unlimited?: boolean }
type Errors = { multiple?: string; credit?: string }

type Props = { id: number; onChanged: (unsaved: boolean) => void }

/** What an account in the user's downline sees and may do. Folded at first: most edits concern something else. */
export const AbilitiesSection = (props: Props) => {
  const { t } = useWords()
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <details className="abilities" onToggle={(event) => setWasOpened((before) => before || event.currentTarget.open)}>
      <summary>{t('ability.title')}</summary>
      {wasOpened && <Loaded {...props} />}
    </details>
  )
}

const Loaded = ({ id, onChanged }: Props) => {
  const { t } = useWords()
  const abilities = useCall('user/abilities', { id }, { meta: { optional: true } })
  if (abilities.data) return <Form abilities={abilities.data} onChanged={onChanged} />
  if (abilities.error) return <Alert text={abilities.error.message} />
  return <p role="status">{t('table.loading')}</p>
}

const Form = ({ abilities, onChanged }: { abilities: Abilities; onChanged: (unsaved: boolean) => void }) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const { id, role_id: role, changeable } = abilities
  const save = useSend('user/saveAbilities', { refreshes: ['user/list', 'user/view'] })
  const [changes, setChanges] = useState<Changes>({})
  const [errors, setErrors] = useState<Errors>({})
  const put = (change: Changes) => {
    const next = { ...changes, ...change }
    setChanges(next)
    setErrors({})
    onChanged(hasAny(changesToSave(abilities, next)))
  }

  const wanted = changesToSave(abilities, changes)
  const submit = () => {
    if (save.isPending || !hasAny(wanted)) return
    const found: Errors = {
      ...(changes.multiple === undefined || isMultiple(changes.multiple)
        ? {}
        : { multiple: t('ability.multiple_rule') }),
      ...(changes.credit === '' ? { credit: t('field.needed') } : {}),
    }
    setErrors(found)
    if (hasAny(found)) return
    save.mutate(
      { id, ...wanted },
      {
        onSuccess: (now) => {
          cache.setQueryData(keyOf('user/abilities', { id }), now)
          setChanges({})
          onChanged(false)
          notify.done(t('ability.saved'))
        },
      },
    )
  }
  /** Enter saves the abilities, not the rest of the dialog. */
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    submit()
  }
  const group = (name: FlagGroup, more?: ReactNode) => {
    const flags = flagsOf(name, role)
    return (
      (flags.length > 0 || more) && (
        <fieldset className="ability-group">
          <legend>{t(`ability.group_${name}`)}</legend>
          {more}
          {flags.map(({ name: flag, what }) => (
            <SwitchLine
              key={flag}
              label={t(`ability.${flag}`)}
              what={what && t(what)}
              fixed={!changeable.includes(flag)}
              value={(changes[flag] ?? abilities[flag]) === 1}
              onChange={(on) => put({ [flag]: on ? 1 : 0 })}
            />
          ))}
        </fieldset>
      )
    )
  }
  // A member without changeable limits has no such group: it would be a heading alone.
  const limited = role !== Role.member || changeable.includes('limit_of_credit') || changeable.includes('unlimited')
  return (
    <div onKeyDown={onKeyDown}>
      <p className="ability-what">{t('ability.explain')}</p>
      {group('points')}
      {group('limits', limited && <Limits {...{ abilities, changes, errors, put }} />)}
      {group('views')}
      {group('account')}
      {save.error && <Alert text={save.error.message} />}
      <Button block disabled={!hasAny(wanted)} loading={save.isPending} onClick={submit}>
        {t('ability.save')}
      </Button>
    </div>
  )
}

type LimitsProps = { abilities: Abilities; changes: Changes; errors: Errors; put: (change: Changes) => void }

/** Shows the credit limit only if it can be changed, and turnover only for accounts that send points. */
const Limits = ({ abilities, changes, errors, put }: LimitsProps) => {
  const { t } = useWords()
  const may = (name: string) => abilities.changeable.includes(name)
  const unlimited = changes.unlimited ?? abilities.unlimited
  return (
    <>
      {may('limit_of_credit') && (
        <Field label={t('account.limit_of_credit')} hint={t('ability.limit_of_credit_what')} error={errors.credit}>
          {(control) => (
            <AmountInput
              {...control}
              disabled={unlimited}
              value={unlimited ? '' : (changes.credit ?? creditOf(abilities))}
              onChange={(credit) => put({ credit })}
            />
          )}
        </Field>
      )}
      {may('unlimited') && (
        <SwitchLine
          label={t('ability.unlimited')}
          what={t('ability.unlimited_what')}
          value={unlimited}
          onChange={(on) => put({ unlimited: on })}
        />
      )}
      {abilities.role_id !== Role.member && (
        <Field
          label={t('ability.transfer_member_flow_limit_multiple')}
          hint={t('ability.transfer_member_flow_limit_multiple_what')}
          error={errors.multiple}
        >
          {(control) => (
            <Input
              {...control}
              className="points"
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              disabled={!may('transfer_member_flow_limit_multiple')}
              value={changes.multiple ?? String(abilities.transfer_member_flow_limit_multiple)}
              onChange={(event) => put({ multiple: event.target.value.trim() })}
            />
          )}
        </Field>
      )}
    </>
  )
}

type LineProps = {
  label: string
  what?: string | undefined
  /** Shown but not changeable. */
  fixed?: boolean
  value: boolean
  onChange: (on: boolean) => void
}

const SwitchLine = ({ label, what, fixed = false, value, onChange }: LineProps) => {
  const { t } = useWords()
  const id = useId()
  const description = [what, fixed ? t('ability.shown_only') : undefined].filter((text) => text !== undefined).join(' ')
  return (
    <div className="ability-line">
      <label htmlFor={id}>{label}</label>
      <Switch
        id={id}
        checked={value}
        disabled={fixed}
        onChange={onChange}
        {...(description ? { 'aria-describedby': `${id}-what` } : {})}
      />
      {description && (
        <span id={`${id}-what`} className="ability-what">
          {description}
        </span>
      )}
    </div>
  )
}

const hasAny = (found: object) => Object.keys(found).length > 0
const isMultiple = (text: string) => /^\d{1,4}$/.test(text) && Number(text) <= 1000
const creditOf = ({ unlimited, limit_of_credit }: Abilities) =>
  unlimited
    ? '0'
    : cleanAmount(limit_of_credit, false)
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '')

/** The changed values, as the call expects them. */
const changesToSave = (abilities: Abilities, { multiple, credit, unlimited, ...flags }: Changes): Omit<Saved, 'id'> => {
  const changedFlags = Object.entries(flags).filter(([name, value]) => abilities[name as AbilityFlag] !== value)
  const isUnlimited = unlimited ?? abilities.unlimited
  const limit = credit === undefined ? undefined : (amountToSend(credit) ?? '0')
  return {
    ...Object.fromEntries(changedFlags),
    ...(multiple === undefined || multiple === String(abilities.transfer_member_flow_limit_multiple)
      ? {}
      : { transfer_member_flow_limit_multiple: Number(multiple) }),
    ...(isUnlimited === abilities.unlimited ? {} : { unlimited: isUnlimited }),
    ...(isUnlimited || limit === undefined || credit === creditOf(abilities) ? {} : { limit_of_credit: limit }),
  }
}
