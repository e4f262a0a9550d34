import { isOffice } from '@tallyroom/contract/codes'
import { type ReactNode, useId } from 'react'
import { type FlagGroup, flagsOf } from './ability-flags.ts'
import { Switch } from '../../ui/control/switch.tsx'
import { AmountInput } from '../../ui/form/amount-input.tsx'
import { Field } from '../../ui/form/field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { type Abilities, type NewAbilities, creditOf, type Errors, type useAbilities } from './use-abilities.ts'
import './abilities.css'

type State = ReturnType<typeof useAbilities>

/** What an account in the user's downline sees and may do. Folded at first: most edits concern something else. */
export const AbilitiesSection = ({ state, onOpen }: { state: State; onOpen: () => void }) => {
  const { t } = useWords()
  return (
    <details className="abilities" onToggle={(event) => event.currentTarget.open && onOpen()}>
      <summary>{t('ability.title')}</summary>
      {state.data ? (
        <Groups abilities={state.data} state={state} />
      ) : state.loadError ? (
        <Alert text={state.loadError.message} />
      ) : (
        <p role="status">{t('table.loading')}</p>
      )}
    </details>
  )
}

const Groups = ({ abilities, state }: { abilities: Abilities; state: State }) => {
  const { t } = useWords()
  const { role_id: role, changeable } = abilities
  const { edits, errors, put } = state
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
              value={(edits[flag] ?? abilities[flag]) === 1}
              onChange={(on) => put({ [flag]: on ? 1 : 0 })}
            />
          ))}
        </fieldset>
      )
    )
  }
  // A member without changeable limits has no such group: it would be a heading alone.
  const limited = isOffice(role) || changeable.includes('limit_of_credit') || changeable.includes('unlimited')
  return (
    <div>
      <p className="ability-what">{t('ability.explain')}</p>
      {group('points')}
      {group('limits', limited && <Limits {...{ abilities, edits, errors, put }} />)}
      {group('views')}
      {group('account')}
    </div>
  )
}

type LimitsProps = { abilities: Abilities; edits: NewAbilities; errors: Errors; put: (edited: NewAbilities) => void }

/** Shows the credit limit only if it can be changed, and turnover only for accounts that send points. */
const Limits = ({ abilities, edits, errors, put }: LimitsProps) => {
  const { t } = useWords()
  const may = (name: string) => abilities.changeable.includes(name)
  const unlimited = edits.unlimited ?? abilities.unlimited
  return (
    <>
      {may('limit_of_credit') && (
        <Field label={t('account.limit_of_credit')} hint={t('ability.limit_of_credit_what')} error={errors.credit}>
          {(control) => (
            <AmountInput
              {...control}
              disabled={unlimited}
              value={unlimited ? '' : (edits.credit ?? creditOf(abilities))}
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
      {isOffice(abilities.role_id) && (
        <TextField
          label={t('ability.transfer_member_flow_limit_multiple')}
          hint={t('ability.transfer_member_flow_limit_multiple_what')}
          error={errors.multiple}
          className="points"
          inputMode="numeric"
          autoComplete="off"
          disabled={!may('transfer_member_flow_limit_multiple')}
          value={edits.multiple ?? String(abilities.transfer_member_flow_limit_multiple)}
          onChange={(multiple) => put({ multiple })}
        />
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
